//! Organizations and their members.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sim_core::Operation as _;
use sim_core::management::entitlement::ListEntitlements;
use sim_core::management::organization::{
    CreateOrganization, GetOrganization, ListMembers, ListOrganizations, RemoveMember, SetMember, SetOptions,
    SetPlan,
};

use sim_core::management::organization_project::ListOrganizationProjects;
use sim_core::management::region::ListRegions;

use super::rule::{Answer, Asked, Group, Rule, done, given, texts};
use super::{Model, ROLES, User, merged};
use crate::strategies::{Dice, Text};

pub(super) const GROUP: Group = Group { rules: RULES, first: &[], next: |_, _| None, works: &[] };

const NAMES: [&str; 2] = ["Umbrella", "…"];
const PLANS: [Text; 4] = ["team", "free", "pro", "enterprise"];
const CHANNELS: [Text; 3] = ["ga", "alpha", "preview"];

const RULES: &[Rule] = &[
    Rule::open(CreateOrganization::META, "", create)
        .call(|dice, _, what| match dice.one_in(4) {
            true => what.with(json!({ "name": "x".repeat(256) })),
            false => what.with(json!({ "name": dice.pick(&NAMES) })),
        })
        .bodies(|| {
            vec![
                json!({}),
                json!([]),
                json!({ "name": "" }),
                json!({ "name": null }),
                json!({ "name": 7 }),
                json!({ "name": "x".repeat(257) }),
                json!({ "name": "x", "plan": "pro" }),
            ]
        })
        .makes(&[("organization", "/id")]),
    Rule::open(ListOrganizations::META, "organizations:read", |model, asked| {
        let mine = model.organizations.iter().enumerate().filter(|(number, one)| one.has(asked.user) && model.reaches_some_of(*number));
        // They are listed by slug, which is random.
        Ok(json!({ "any order": mine.map(|(number, one)| one.shown(number)).collect::<Vec<_>>() }))
    }),
    Rule::read(GetOrganization::META, "organizations:read", |model, asked| {
        let number = asked.number("slug");
        Ok(model.organizations[number].detail(number))
    }),
    Rule::read(ListMembers::META, "organizations:read", |model, asked| {
        let members = model.organizations[asked.number("slug")].members.iter().map(|(user, role)| {
            let User { name, email } = &model.users[*user];
            json!({ "user_name": name, "email": email, "role_name": role })
        });
        Ok(members.collect())
    }),
    Rule::control(SetPlan::META, set_plan)
        .call(|dice, _, what| {
            // Most operations are refused on the free plan.
            let plan = if dice.one_in(3) { "free" } else { dice.pick(&PLANS) };
            what.with(json!({ "plan": plan }))
        })
        .bodies(|| vec![json!({}), json!({ "plan": "gold" }), json!({ "plan": "pro", "seats": 1 })]),
    Rule::control(SetOptions::META, set_options)
        .call(|dice, _, what| {
            let tags = dice.one_in(2).then(|| json!(dice.some(&["AI_SQL_GENERATOR_OPT_IN"], 1)));
            let channels = Some(json!(dice.some(&CHANNELS, 3))).filter(|_| !dice.one_in(3));
            what.with(given([("opt_in_tags", tags), ("allowed_release_channels", channels)]))
        })
        .bodies(|| {
            vec![
                json!({ "opt_in_tags": ["EVERYTHING"] }),
                json!({ "allowed_release_channels": "ga" }),
                json!({ "allowed_release_channels": ["nightly"] }),
                json!({ "plan": "free" }),
            ]
        }),
    Rule::control(SetMember::META, |model, asked| {
        let found = model.organizations.get_mut(asked.number("slug")).ok_or(404_u16)?;
        model.users.get(asked.number("user")).ok_or(404_u16)?;
        found.members.insert(asked.number("user"), asked.text("role").to_owned());
        done()
    })
    .call(|dice, _, what| {
        what.with(json!({ "role": dice.pick(&["Owner", "Administrator", "Developer", "Read-only"]) }))
    })
    .bodies(|| vec![json!({}), json!({ "role": "owner" }), json!({ "role": ["Owner"] })]),
    Rule::control(RemoveMember::META, |model, asked| {
        let found = model.organizations.get_mut(asked.number("slug")).ok_or(404_u16)?;
        found.members.remove(&asked.number("user")).ok_or(404_u16)?;
        done()
    }),
    Rule::read(ListOrganizationProjects::META, "projects:read", list_projects)
        .call(|dice, _, mut what| {
            let asked: [(Text, &[Text]); 5] = [
                ("offset", &["0", "1", "99"]),
                ("limit", &["1", "100"]),
                ("search", &["A", "ETA"]),
                ("sort", &["name_asc", "name_desc", "created_asc", "created_desc"]),
                ("statuses", &["ACTIVE_HEALTHY", "ACTIVE_HEALTHY,INACTIVE"]),
            ];
            for (name, values) in asked {
                if dice.one_in(3) {
                    what = what.asking(name, dice.pick(values));
                }
            }
            what
        })
        .queries(&["offset=-1", "limit=0", "limit=101", "sort=size", "statuses=ASLEEP"]),
    Rule::read(ListEntitlements::META, "organizations:read", |model, asked| {
        // Each entitlement shows as a refusal elsewhere; here only their number counts.
        model.organization(asked.user, asked.number("slug"), "Read-only")?;
        Ok(json!({ "entitlements": vec![json!({}); 17] }))
    }),
    Rule::read(ListRegions::META, "organizations:read", |model, asked| {
        let slug = asked.what.asked("organization_slug").unwrap_or_default();
        model.organization(asked.user, super::rule::number(slug), "Read-only")?;
        let near = match asked.what.asked("continent") {
            Some("EU") => "emea",
            Some("AS") => "apac",
            _ => "americas",
        };
        Ok(json!({ "recommendations": { "smartGroup": { "code": near } }, "all": { "smartGroup": [{}, {}, {}] } }))
    })
    .call(|dice, model, what| {
        let slug = format!("{{organization {}}}", model.some_organization(dice));
        let what = what.asking("organization_slug", slug);
        if dice.one_in(2) { what.asking("continent", dice.pick(&["EU", "AS", "SA"])) } else { what }
    })
    .queries(&["", "organization_slug=acme&continent=XX", "organization_slug=acme&desired_instance_size=huge"]),
];

#[derive(Clone, Debug)]
pub(super) struct Organization {
    name: String,
    pub(super) plan: String,
    tags: Vec<String>,
    pub(super) channels: Vec<String>,
    /// Role by user.
    pub(super) members: BTreeMap<usize, String>,
}

impl Organization {
    fn new(name: &str, plan: &str, members: &[(usize, Text)]) -> Organization {
        Organization {
            name: name.to_owned(),
            plan: plan.to_owned(),
            tags: Vec::new(),
            channels: ["ga", "preview"].map(str::to_owned).to_vec(),
            members: members.iter().map(|(user, role)| (*user, (*role).to_owned())).collect(),
        }
    }

    pub(super) fn first() -> Organization {
        let members = [(0, "Owner"), (1, "Administrator"), (2, "Developer"), (3, "Read-only")];
        Organization::new("Acme", "pro", &members)
    }

    pub(super) fn has(&self, user: Option<usize>) -> bool {
        user.is_none_or(|user| self.members.contains_key(&user))
    }

    pub(super) fn is_administered_by(&self, user: usize) -> bool {
        self.members.get(&user).is_some_and(|role| role == "Administrator" || role == "Owner")
    }

    fn shown(&self, number: usize) -> Value {
        json!({ "id": format!("{{organization {number}}}"), "name": self.name })
    }

    fn detail(&self, number: usize) -> Value {
        let more =
            json!({ "plan": self.plan, "opt_in_tags": self.tags, "allowed_release_channels": self.channels });
        merged(self.shown(number), more)
    }
}

fn create(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let owner: Vec<_> = asked.user.map(|user| (user, "Owner")).into_iter().collect();
    let created = Organization::new(asked.text("name"), "free", &owner);
    model.organizations.push(created);
    let number = model.organizations.len() - 1;
    Ok(model.organizations[number].shown(number))
}

fn set_plan(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let number = asked.number("slug");
    let found = model.organizations.get_mut(number).ok_or(404_u16)?;
    found.plan = asked.text("plan").to_owned();
    let shown = found.detail(number);
    if asked.text("plan") == "free" {
        let projects = model.projects.iter_mut().filter(|one| one.organization == number);
        projects.for_each(|project| project.backups.lose_all());
    }
    Ok(shown)
}

fn list_projects(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let text = |name: &str| asked.what.asked(name);
    let organization = asked.number("slug");
    let all = model.projects.iter().enumerate();
    let mut mine: Vec<_> = all
        .filter(|(_, one)| one.organization == organization && one.is_listed())
        .filter(|(_, one)| text("search").is_none_or(|part| holds(&one.name, part)))
        .filter(|(_, one)| {
            text("statuses").is_none_or(|list| list.split(',').any(|status| status == one.status))
        })
        .collect();
    let order = text("sort").unwrap_or("name_asc");
    if order.starts_with("name") {
        mine.sort_by(|(_, one), (_, other)| one.name.cmp(&other.name));
    }
    if order.ends_with("desc") {
        mine.reverse();
    }
    let number = |name: &str, preset: usize| text(name).map_or(preset, |text| text.parse().unwrap_or(preset));
    let (offset, limit, count) = (number("offset", 0), number("limit", 100), mine.len());
    let shown = mine.into_iter().skip(offset).take(limit).map(|(number, one)| {
        let replicas = model.replicas_of(number).count();
        let mut databases = vec![json!({ "infra_compute_size": one.size, "status": database_status(one.status) })];
        databases.extend(std::iter::repeat_n(json!({ "type": "READ_REPLICA" }), replicas));
        json!({ "ref": format!("{{project {number}}}"), "name": one.name, "status": one.status, "databases": databases })
    });
    let pagination = json!({ "count": count, "limit": limit, "offset": offset });
    Ok(json!({ "projects": shown.collect::<Vec<_>>(), "pagination": pagination }))
}

/// The status of a project's primary database.
fn database_status(project: &str) -> &str {
    match project {
        "INACTIVE" | "PAUSING" | "PAUSE_FAILED" => "GOING_DOWN",
        "UPGRADING" => "RESTARTING",
        "RESTORE_FAILED" => "INIT_FAILED",
        other => other,
    }
}

/// Whether a name contains a text; case and accents do not matter.
fn holds(name: &str, part: &str) -> bool {
    name.to_ascii_lowercase().contains(&part.to_ascii_lowercase())
}

fn set_options(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let number = asked.number("slug");
    let found = model.organizations.get_mut(number).ok_or(404_u16)?;
    for (field, list) in [("opt_in_tags", &mut found.tags), ("allowed_release_channels", &mut found.channels)]
    {
        if !asked.body(field).is_null() {
            *list = texts(asked.body(field));
        }
    }
    Ok(found.detail(number))
}

impl Model {
    pub(super) fn some_organization(&self, dice: &mut Dice) -> usize {
        // Almost everything is in the first one.
        if dice.one_in(3) { dice.below(self.organizations.len() + 1) } else { 0 }
    }

    /// The organization: 404 if there is none, 403 unless `user` has at least `role` in it.
    pub(super) fn organization(
        &self,
        user: Option<usize>,
        number: usize,
        role: &str,
    ) -> Result<&Organization, u16> {
        let found = self.ranked(user, number, role)?;
        self.require_reach(number, None)?;
        Ok(found)
    }

    /// The same, whatever the caller's token is limited to.
    pub(super) fn ranked(
        &self,
        user: Option<usize>,
        number: usize,
        role: &str,
    ) -> Result<&Organization, u16> {
        let found = self.organizations.get(number).ok_or(404_u16)?;
        let rank = |role: &str| ROLES.iter().position(|one| *one == role);
        let Some(user) = user else { return Ok(found) };
        match found.members.get(&user) {
            Some(held) if rank(held) >= rank(role) => Ok(found),
            _ => Err(403),
        }
    }

    /// The plan that the project is on.
    pub(super) fn plan(&self, project: usize) -> &str {
        &self.organizations[self.projects[project].organization].plan
    }

    pub(super) fn is_free(&self, project: usize) -> bool {
        self.plan(project) == "free"
    }
}
