//! Host names of a project: custom hostnames with their DNS, and vanity subdomains.

use std::time::Duration;

use serde_json::{Value, json};
use sim_core::Operation as _;
use sim_core::management::dns::{GetDns, SetDns};
use sim_core::management::hostname::{
    ActivateHostname, DeleteHostname, GetHostname, InitializeHostname, ReverifyHostname,
};
use sim_core::management::vanity::{
    ActivateVanitySubdomain, CheckVanitySubdomain, DeleteVanitySubdomain, GetVanitySubdomain,
};

use super::projects::Project;
use super::rule::{Answer, Asked, Group, Rule, done, given};
use super::time::{Event, MINUTE};
use super::{Model, rule_of};
use crate::strategies::{Dice, Text, What};

pub(super) const GROUP: Group = Group {
    rules: RULES,
    first: &[
        ("sim-set-addon", |what| what.at("addon", "custom_domain")),
        ("v1-update-hostname-config", |what| what),
    ],
    next,
    works: &["certificate"],
};

const HOSTS: [Text; 3] = ["app.one.example", "www.two.example", "APP.one.example"];
const LABELS: [Text; 4] = ["brand", "shop-2", "www", "{project 0}"];
const LOOK: Duration = MINUTE;

const RULES: &[Rule] = &[
    Rule::control(SetDns::META, |model, asked| {
        let records = Records {
            cname: asked.body("cname").as_str().map(str::to_owned),
            txt: asked.texts("txt"),
            caa: asked.texts("caa"),
        };
        let shown = records.shown();
        model.dns.insert(asked.what.part("name").to_owned(), records);
        Ok(shown)
    })
    .call(wanted_record)
    .bodies(|| vec![json!({ "txt": "text" }), json!({ "cname": 1 }), json!({ "mx": [] })]),
    Rule::control(GetDns::META, |model, asked| Ok(model.records(asked.what.part("name")).shown())).call(
        |dice, model, what| {
            let known: Vec<_> = model.dns.keys().cloned().collect();
            let name =
                known.get(dice.below(known.len() + 1)).cloned().unwrap_or_else(|| "one.example".to_owned());
            what.at("name", name)
        },
    ),
    Rule::write(InitializeHostname::META, "domains:write", initialize)
        .call(|dice, _, what| what.with(json!({ "custom_hostname": dice.pick(&HOSTS) })))
        .bodies(|| {
            vec![
                json!({}),
                json!({ "custom_hostname": "" }),
                json!({ "custom_hostname": "one.example" }),
                json!({ "custom_hostname": "app.under.platform.test" }),
                json!({ "custom_hostname": 7 }),
            ]
        })
        .makes(&[
            ("ownership", "/data/result/ownership_verification/value"),
            ("challenge", "/data/result/ssl/validation_records/0/txt_value"),
        ]),
    Rule::read(GetHostname::META, "domains:read", |model, asked| {
        Ok(model.hostnames[model.hostname(asked)?].shown())
    }),
    Rule::write(ReverifyHostname::META, "domains:write", |model, asked| {
        let number = model.hostname(asked)?;
        match model.hostnames[number].status {
            "2_initiated" => {
                // One check is enough, no matter how often it is requested.
                if !model.agenda.has(|event| *event == Event::Verify { hostname: number }) {
                    model.after(LOOK, Event::Verify { hostname: number });
                }
            }
            "3_challenge_verified" => {}
            _ => return Err(400),
        }
        Ok(model.hostnames[number].shown())
    }),
    Rule::write(ActivateHostname::META, "domains:write", |model, asked| {
        let number = model.hostname(asked)?;
        let hostname = &mut model.hostnames[number];
        if hostname.status != "4_origin_setup_completed" {
            return Err(400);
        }
        hostname.status = "5_services_reconfigured";
        Ok(hostname.shown())
    }),
    Rule::read(CheckVanitySubdomain::META, "domains:write", |model, asked| {
        Ok(json!({ "available": !model.is_taken(asked.text("vanity_subdomain")) }))
    })
    .call(label)
    .bodies(wrong_labels),
    Rule::write(ActivateVanitySubdomain::META, "domains:write", |model, asked| {
        let (found, name) = (&model.projects[asked.project()], asked.text("vanity_subdomain"));
        let is_own = found.vanity.as_deref() == Some(name);
        let is_barred = model.is_free(asked.project()) || found.hostname.is_some();
        if is_barred || !is_own && (found.vanity.is_some() || model.is_taken(name)) {
            return Err(400);
        }
        model.projects[asked.project()].vanity = Some(name.to_owned());
        Ok(json!({ "custom_domain": format!("{name}.platform.test") }))
    })
    .call(label)
    .bodies(wrong_labels),
    Rule::read(GetVanitySubdomain::META, "domains:read", |model, asked| {
        let found = &model.projects[asked.project()];
        if let Some(name) = &found.vanity {
            return Ok(json!({ "status": "active", "custom_domain": format!("{name}.platform.test") }));
        }
        let hostname = found.hostname.map(|number| &model.hostnames[number]);
        Ok(match hostname.filter(|hostname| hostname.status == "5_services_reconfigured") {
            Some(hostname) => json!({ "status": "custom-domain-used", "custom_domain": hostname.name }),
            None => json!({ "status": "not-used", "custom_domain": null }),
        })
    }),
    Rule::write(DeleteVanitySubdomain::META, "domains:write", |model, asked| {
        model.projects[asked.project()].vanity.take().ok_or(400_u16)?;
        done()
    }),
    Rule::write(DeleteHostname::META, "domains:write", |model, asked| {
        model.hostname(asked)?;
        model.end_hostname(asked.project());
        done()
    }),
];

fn label(dice: &mut Dice, _: &Model, what: What) -> What {
    what.with(json!({ "vanity_subdomain": dice.pick(&LABELS) }))
}

fn wrong_labels() -> Vec<Value> {
    ["", "Brand", "-brand", "two.labels"].map(|name| json!({ "vanity_subdomain": name })).to_vec()
}

/// In three of four cases the records that some hostname needs, else others.
fn wanted_record(dice: &mut Dice, model: &Model, what: What) -> What {
    let hostname = model.hostnames.get(dice.below(model.hostnames.len() + 1));
    let Some(hostname) = hostname.filter(|_| !dice.one_in(4)) else {
        let name =
            dice.pick(&["app.one.example", "one.example", "example", "_acme-challenge.www.two.example"]);
        let caa = Some(json!(dice.some(&["ca.test", "other.test"], 1))).filter(|_| name == "one.example");
        return what.at("name", name).with(given([("txt", Some(json!(["guess"]))), ("caa", caa)]));
    };
    let records = hostname.wanted();
    let (name, record) = &records[dice.below(records.len())];
    what.at("name", name.clone()).with(record.shown())
}

/// The steps of a hostname: its records, their check, its activation.
fn next(dice: &mut Dice, model: &Model) -> Option<What> {
    let is_on_its_way = |project: &Project| {
        let status = project.hostname.map(|number| model.hostnames[number].status);
        status.is_some_and(|status| ["2_initiated", "4_origin_setup_completed"].contains(&status))
    };
    if let Some(branded) = model.projects.iter().position(|one| one.vanity.is_some() && one.is_live())
        && dice.one_in(4)
    {
        return Some(rule_of::<DeleteVanitySubdomain>().for_project(dice, model, branded));
    }
    let begun = model.projects.iter().position(is_on_its_way).filter(|_| !dice.one_in(8));
    let project = begun.unwrap_or_else(|| model.some_project(dice));
    let found = model.projects.get(project)?;
    let Some(hostname) = found.hostname.map(|number| &model.hostnames[number]) else {
        return Some(
            dice.pick(&[
                rule_of::<InitializeHostname>(),
                rule_of::<InitializeHostname>(),
                rule_of::<InitializeHostname>(),
                rule_of::<InitializeHostname>(),
                rule_of::<ActivateVanitySubdomain>(),
                rule_of::<DeleteVanitySubdomain>(),
            ])
            .for_project(dice, model, project),
        );
    };
    let missing: Vec<_> =
        hostname.wanted().into_iter().filter(|(name, record)| model.records(name) != *record).collect();
    Some(match hostname.status {
        "2_initiated" if !missing.is_empty() && !dice.one_in(8) => {
            let (name, record) = missing[dice.below(missing.len())].clone();
            What::of(rule_of::<SetDns>()).at("name", name).with(record.shown())
        }
        "2_initiated" => rule_of::<ReverifyHostname>().for_project(dice, model, project),
        "4_origin_setup_completed" => rule_of::<ActivateHostname>().for_project(dice, model, project),
        _ => dice
            .pick(&[rule_of::<GetHostname>(), rule_of::<GetVanitySubdomain>(), rule_of::<DeleteHostname>()])
            .for_project(dice, model, project),
    })
}

/// The DNS records of a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Records {
    cname: Option<String>,
    txt: Vec<String>,
    caa: Vec<String>,
}

impl Records {
    fn shown(&self) -> Value {
        given([
            ("cname", self.cname.as_ref().map(|cname| json!(cname))),
            ("txt", Some(json!(self.txt))),
            ("caa", Some(json!(self.caa))),
        ])
    }
}

#[derive(Clone, Debug)]
pub(super) struct Hostname {
    number: usize,
    project: usize,
    name: String,
    status: Text,
    is_owned: bool,
    ssl: Text,
}

impl Hostname {
    fn origin(&self) -> String {
        format!("{{project {}}}.platform.test", self.project)
    }

    /// The records that it requires: its target, its owner, its certificate.
    fn wanted(&self) -> [(String, Records); 3] {
        let Hostname { name, number, .. } = self;
        let txt = |text: String| Records { txt: vec![text], ..Records::default() };
        [
            (name.clone(), Records { cname: Some(self.origin()), ..Records::default() }),
            (format!("_custom-hostname.{name}"), txt(format!("{{ownership {number}}}"))),
            (format!("_acme-challenge.{name}"), txt(format!("{{challenge {number}}}"))),
        ]
    }

    fn shown(&self) -> Value {
        let wants_challenge = ["pending_validation", "validation_timed_out"].contains(&self.ssl);
        let challenge = json!([{ "txt_value": format!("{{challenge {}}}", self.number) }]);
        let ownership = if self.is_owned { String::new() } else { format!("{{ownership {}}}", self.number) };
        json!({
            "status": self.status,
            "custom_hostname": self.name,
            "data": { "result": {
                "status": if self.is_owned { "active" } else { "pending" },
                "custom_origin_server": self.origin(),
                "ssl": {
                    "status": self.ssl,
                    "validation_records": if wants_challenge { challenge } else { json!([]) },
                },
                "ownership_verification": { "value": ownership },
            } },
        })
    }
}

fn initialize(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let found = &model.projects[asked.project()];
    if !found.addons.contains("custom_domain") {
        return Err(400);
    }
    if found.hostname.is_some() {
        return Err(544);
    }
    let name = asked.text("custom_hostname").to_lowercase();
    let is_held = |other: &Hostname| {
        let holder = &model.projects[other.project];
        other.name == name && holder.is_live() && holder.hostname == Some(other.number)
    };
    if found.vanity.is_some() || model.hostnames.iter().any(is_held) {
        return Err(400);
    }
    let number = model.hostnames.len();
    let (project, status, ssl) = (asked.project(), "2_initiated", "pending_validation");
    model.hostnames.push(Hostname { number, project, name, status, is_owned: false, ssl });
    model.projects[project].hostname = Some(number);
    Ok(model.hostnames[number].shown())
}

impl Model {
    fn hostname(&self, asked: &Asked<'_>) -> Result<usize, u16> {
        self.projects[asked.project()].hostname.ok_or(400)
    }

    /// A hostname ends with its add-on, too.
    pub(super) fn end_hostname(&mut self, project: usize) {
        let Some(number) = self.projects[project].hostname.take() else { return };
        self.agenda.cancel(|event| {
            matches!(event, Event::Verify { hostname } | Event::Certify { hostname, .. } if *hostname == number)
        });
    }

    fn records(&self, name: &str) -> Records {
        self.dns.get(name).cloned().unwrap_or_default()
    }

    pub(super) fn verify_hostname(&mut self, number: usize) {
        let hostname = self.hostnames[number].clone();
        if self.projects[hostname.project].is_gone() {
            return;
        }
        let [(name, _), (owner, ownership), _] = hostname.wanted();
        let is_owned = hostname.is_owned
            || self.records(&name).cname.as_deref() == Some(&*hostname.origin())
                && self.records(&owner).txt.contains(&ownership.txt[0]);
        let certifiable = is_owned && self.can_be_certified(&hostname);
        let fails = certifiable && self.next_fails("certificate");
        let hostname = &mut self.hostnames[number];
        hostname.is_owned = is_owned;
        if certifiable {
            (hostname.status, hostname.ssl) = ("3_challenge_verified", "pending_deployment");
            self.after(MINUTE, Event::Certify { hostname: number, fails });
        } else if is_owned {
            hostname.ssl = "pending_validation";
        }
    }

    pub(super) fn certify_hostname(&mut self, number: usize, fails: bool) {
        let certifiable = self.can_be_certified(&self.hostnames[number]);
        let hostname = &mut self.hostnames[number];
        (hostname.status, hostname.ssl) = match (certifiable, fails) {
            (false, _) => ("2_initiated", "pending_validation"),
            (true, true) => ("2_initiated", "validation_timed_out"),
            (true, false) => ("4_origin_setup_completed", "active"),
        };
    }

    /// The challenge is answered, and the closest CAA records up the tree allow the authority.
    fn can_be_certified(&self, hostname: &Hostname) -> bool {
        let [.., (challenged, challenge)] = hostname.wanted();
        let labels: Vec<_> = hostname.name.split('.').collect();
        let above = (0..labels.len()).map(|from| self.records(&labels[from..].join(".")).caa);
        let allowed = above.into_iter().find(|caa| !caa.is_empty());
        self.records(&challenged).txt.contains(&challenge.txt[0])
            && allowed.is_none_or(|caa| caa.iter().any(|one| one == "ca.test"))
    }

    /// Whether the name is taken: by the platform, or by a project as its own or as its reference.
    fn is_taken(&self, name: &str) -> bool {
        let mut live = self.projects.iter().enumerate().filter(|(_, project)| project.is_live());
        name == "www"
            || live.any(|(number, project)| {
                project.vanity.as_deref() == Some(name) || name == format!("{{project {number}}}")
            })
    }
}
