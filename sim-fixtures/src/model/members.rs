//! `/v2`: members of organizations, their roles and invitations; transfers of projects; addresses of backups.

use serde_json::{Value, json};
use sim_core::Operation as _;
use sim_core::management::v2::backup_download::DownloadBackup;
use sim_core::management::v2::invitation::{AcceptInvitation, CreateInvitations, DeleteInvitations};
use sim_core::management::v2::maintenance::ListMaintenanceWindows;
use sim_core::management::v2::member::{
    AssignMemberRole, ListOrganizationMembers, ListOrganizationRoles, RemoveOrganizationMember,
};
use sim_core::management::v2::transfer::{PreviewTransfer, TransferProject};

use super::Model;
use super::database::list_backups;
use super::rule::{Answer, Asked, Group, Rule, done, number};
use crate::strategies::{Dice, Text, What};

pub(super) const GROUP: Group = Group {
    rules: RULES,
    // Members are addressed by UUID, and a project can move to the other organization.
    first: &[("sim-list-users", |what| what), ("v1-create-an-organization", |what| what)],
    next,
    works: &[],
};

/// Roles as they are sent, and as `/v1` shows them.
const ROLES: [(Text, Text); 4] = [
    ("developer", "Developer"),
    ("owner", "Owner"),
    ("administrator", "Administrator"),
    ("read-only", "Read-only"),
];
const ADDRESSES: [Text; 3] = ["outsider@example.test", "owner@example.test", "new.person@example.test"];

const RULES: &[Rule] = &[
    Rule::read(ListOrganizationMembers::META, "organizations:read", list)
        .call(|dice, _, what| {
            let what =
                if dice.one_in(3) { what.asking("page[size]", dice.pick(&["1", "100"])) } else { what };
            if dice.one_in(4) { what.asking("filter[username]", "owner") } else { what }
        })
        .queries(&["page[size]=0", "page[size]=101", "page[after]=one", "filter[primary_email]=nobody"]),
    Rule::read(ListOrganizationRoles::META, "organizations:read", |_, _| {
        let roles = ["owner", "administrator", "developer", "read-only", "no-access"];
        let shown = roles.map(|name| json!({ "type": "organization_role", "attributes": { "name": name } }));
        Ok(json!({ "data": shown }))
    }),
    Rule::read(ListMaintenanceWindows::META, "organizations:read", |_, asked| {
        Ok(
            json!({ "data": [{ "id": asked.what.part("slug"), "attributes": { "window": { "day": "sun" } } }] }),
        )
    }),
    Rule { role: "Owner", ..Rule::write(AssignMemberRole::META, "", assign) }
        .call(|dice, _, what| {
            let what = what.at("user_id", format!("{{user_id {}}}", dice.below(5)));
            what.with(document("organization_member_role", json!({ "role": dice.pick(&ROLES).0 })))
        })
        .bodies(|| {
            vec![
                json!({}),
                json!({ "data": {} }),
                document("member", json!({ "role": "owner" })),
                document("organization_member_role", json!({})),
                document("organization_member_role", json!({ "role": "Owner" })),
                document("organization_member_role", json!({ "role": "owner", "projects": [] })),
            ]
        }),
    Rule { role: "Owner", ..Rule::write(RemoveOrganizationMember::META, "", remove) }
        .call(|dice, _, what| what.at("user_id", format!("{{user_id {}}}", dice.below(5)))),
    Rule::write(CreateInvitations::META, "", invite)
        .call(|dice, _, what| {
            let one = |address: &Text, role: Text| {
                let attributes = json!({ "email": address, "role": role });
                json!({ "type": "organization_invitation", "attributes": attributes })
            };
            let some = dice.some(&ADDRESSES, 2);
            let some = if some.is_empty() { vec![ADDRESSES[0]] } else { some };
            let all: Vec<Value> = some.iter().map(|address| one(address, dice.pick(&ROLES).0)).collect();
            what.with(json!({ "data": all }))
        })
        .bodies(|| {
            let one = |email: &str, role: &str| {
                let attributes = json!({ "email": email, "role": role });
                json!({ "data": [{ "type": "organization_invitation", "attributes": attributes }] })
            };
            vec![
                json!({}),
                json!({ "data": [] }),
                one("nobody", "owner"),
                one("a..b@example.test", "owner"),
                one("a@example.test", "Owner"),
            ]
        }),
    Rule::write(DeleteInvitations::META, "", |model, asked| {
        let organization = asked.number("slug");
        let is_owner = |address: String| {
            model.invitations.get(&(organization, address)).is_some_and(|role| role == "owner")
        };
        if addresses(asked).any(is_owner) {
            model.ranked(asked.user, organization, "Owner")?;
        }
        let taken = addresses(asked)
            .filter(|address| model.invitations.remove(&(organization, address.clone())).is_some())
            .collect::<Vec<_>>();
        Ok(json!({ "data": taken.iter().map(|address| shown(address)).collect::<Vec<_>>() }))
    })
    .call(|dice, _, what| what.with(json!({ "data": [shown(dice.pick(&ADDRESSES))] })))
    .bodies(|| {
        vec![json!({}), json!({ "data": [] }), json!({ "data": [{ "attributes": { "email": "a@b.test" } }] })]
    }),
    Rule::control(AcceptInvitation::META, |model, asked| {
        let user = asked.number("user");
        let email = model.users.get(user).ok_or(404_u16)?.email.clone();
        let organization = asked.number("slug");
        let role = model.invitations.remove(&(organization, email)).ok_or(404_u16)?;
        model.organizations[organization].members.insert(user, published(&role).to_owned());
        done()
    })
    .call(|dice, model, what| {
        let invited = model.invitations.keys().filter_map(|(organization, email)| {
            let user = model.users.iter().position(|user| user.email == *email)?;
            Some((*organization, user))
        });
        let invited: Vec<_> = invited.collect();
        if invited.is_empty() || dice.one_in(4) {
            return what;
        }
        let (organization, user) = dice.pick(&invited);
        what.at("slug", format!("{{organization {organization}}}")).at("user", format!("{{user {user}}}"))
    }),
    Rule {
        role: "Owner",
        ..Rule::write(PreviewTransfer::META, "projects:write", |model, asked| {
            let target = target(model, asked)?;
            let keys = model.obstacles_to_claim(asked.project(), target);
            let errors: Vec<_> = keys.iter().map(|key| json!({ "key": key })).collect();
            Ok(json!({ "data": { "attributes": { "valid": errors.is_empty(), "errors": errors } } }))
        })
    }
    .call(to_some_organization)
    .bodies(wrong_targets),
    Rule {
        role: "Owner",
        ..Rule::write(TransferProject::META, "projects:write", |model, asked| {
            let target = target(model, asked)?;
            if !model.obstacles_to_claim(asked.project(), target).is_empty() {
                return Err(400);
            }
            model.hand_over(asked.project(), target);
            Ok(json!([]))
        })
    }
    .call(to_some_organization)
    .bodies(wrong_targets),
    Rule::write(DownloadBackup::META, "database:read", |model, asked| {
        let id = asked.body("data")["id"].as_i64();
        let all = list_backups(model, asked)?;
        let found = all["backups"].as_array().into_iter().flatten().find(|one| second(one) == id);
        let found = found.filter(|one| one["status"] == "COMPLETED").ok_or(404_u16)?;
        if found["is_physical_backup"] == true { Err(400) } else { Ok(json!({ "data": { "id": id } })) }
    })
    .call(|_, model, what| {
        let mut then = model.clone();
        let asked = Asked { user: None, what: &what };
        let number = asked.project();
        let all =
            (number < model.projects.len()).then(|| list_backups(&mut then, &asked).unwrap_or_default());
        let newest = all.as_ref().and_then(|all| second(&all["backups"][0])).unwrap_or(1);
        what.with(json!({ "data": { "id": newest, "type": "project_backup_file_url" } }))
    })
    .bodies(|| {
        vec![
            json!({}),
            json!({ "data": { "id": "1", "type": "project_backup_file_url" } }),
            json!({ "data": { "id": 1, "type": "backup" } }),
        ]
    }),
];

/// A change of a member.
fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let ids = [
        CreateInvitations::META.id,
        AcceptInvitation::META.id,
        AssignMemberRole::META.id,
        RemoveOrganizationMember::META.id,
        TransferProject::META.id,
    ];
    let rules: Vec<_> = RULES.iter().filter(|rule| ids.contains(&rule.meta.id)).collect();
    Some(dice.pick(&rules).draw(dice, model))
}

fn document(kind: &str, attributes: Value) -> Value {
    json!({ "data": { "type": kind, "attributes": attributes } })
}

fn shown(address: &str) -> Value {
    json!({ "type": "organization_invitation", "attributes": { "email": address } })
}

/// A role as `/v1` shows it.
fn published(role: &str) -> Text {
    ROLES.iter().find(|(name, _)| *name == role).map_or("Read-only", |(_, published)| published)
}

fn addresses<'a>(asked: &'a Asked<'_>) -> impl Iterator<Item = String> + 'a {
    let all = asked.body("data").as_array().into_iter().flatten();
    all.filter_map(|one| one["attributes"]["email"].as_str()).map(str::to_owned)
}

/// The second at which a backup was made.
fn second(backup: &Value) -> Option<i64> {
    let at: sim_core::Timestamp = backup["inserted_at"].as_str()?.parse().ok()?;
    Some(at.as_second())
}

fn list(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let members = &model.organizations[asked.number("slug")].members;
    let all = members.iter().filter_map(|(user, role)| {
        let user = &model.users[*user];
        let is_meant = asked.what.asked("filter[username]").is_none_or(|name| name == user.name);
        let role = ROLES.iter().find(|(_, published)| published == role)?.0;
        let attributes = json!({
            "username": user.name,
            "primary_email": user.email,
            "roles": [{ "name": role, "scope": "organization", "projects": [] }],
        });
        is_meant.then(|| json!({ "attributes": attributes }))
    });
    let size = asked.what.asked("page[size]").and_then(|size| size.parse().ok()).unwrap_or(100);
    Ok(json!({ "data": all.take(size).collect::<Vec<_>>() }))
}

/// The member in the path. An organization keeps its last owner.
fn assign(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let (organization, user) = member(model, asked)?;
    let role = asked.body("data")["attributes"]["role"].as_str().unwrap_or_default();
    let members = &mut model.organizations[organization].members;
    if is_last_owner(members, user) && role != "owner" {
        return Err(400);
    }
    members.insert(user, published(role).to_owned());
    Ok(json!({ "data": { "attributes": { "name": role, "scope": "organization" } } }))
}

fn remove(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let (organization, user) = member(model, asked)?;
    let members = &mut model.organizations[organization].members;
    if is_last_owner(members, user) {
        return Err(400);
    }
    members.remove(&user);
    model.leave(organization, user);
    Ok(json!([]))
}

fn member(model: &Model, asked: &Asked<'_>) -> Result<(usize, usize), u16> {
    let user = model.known_user(asked.what.part("user_id"))?;
    let organization = asked.number("slug");
    let is_there = model.organizations[organization].members.contains_key(&user);
    is_there.then_some((organization, user)).ok_or(404)
}

fn is_last_owner(members: &std::collections::BTreeMap<usize, String>, user: usize) -> bool {
    let others = members.iter().filter(|(other, role)| **other != user && *role == "Owner").count();
    members.get(&user).is_some_and(|role| role == "Owner") && others == 0
}

fn invite(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let organization = asked.number("slug");
    let all = asked.body("data").as_array().into_iter().flatten();
    if all.map(|one| &one["attributes"]["role"]).any(|role| role == "owner") {
        model.ranked(asked.user, organization, "Owner")?;
    }
    let (mut sent, mut issues) = (Vec::new(), Vec::new());
    for address in addresses(asked) {
        let is_member =
            model.organizations[organization].members.keys().any(|user| model.users[*user].email == address);
        let key = (organization, address.clone());
        if is_member || model.invitations.contains_key(&key) {
            issues.push(json!({ "meta": { "email": address } }));
            continue;
        }
        let mut all = asked.body("data").as_array().into_iter().flatten().map(|one| &one["attributes"]);
        let own = all.find(|one| one["email"] == *address).and_then(|one| one["role"].as_str());
        model.invitations.insert(key, own.unwrap_or_default().to_owned());
        sent.push(shown(&address));
    }
    let error = (!issues.is_empty()).then(|| json!({ "issues": issues }));
    Ok(json!({ "data": sent, "error": error }))
}

fn to_some_organization(dice: &mut Dice, model: &Model, what: What) -> What {
    let slug = format!("{{organization {}}}", dice.below(model.organizations.len() + 1));
    what.with(document("project_transfer_input", json!({ "target_organization_slug": slug })))
}

fn wrong_targets() -> Vec<Value> {
    vec![
        json!({}),
        document("project_transfer_input", json!({})),
        document("project_transfer_input", json!({ "target_organization_slug": 7 })),
        document("transfer", json!({ "target_organization_slug": "acme" })),
    ]
}

/// The organization that the project is to go to, in which the caller must be an administrator.
fn target(model: &Model, asked: &Asked<'_>) -> Result<usize, u16> {
    let slug = asked.body("data")["attributes"]["target_organization_slug"].as_str().unwrap_or_default();
    model.organization(asked.user, number(slug), "Administrator")?;
    Ok(number(slug))
}
