//! Who can connect to a project's database.

use std::collections::BTreeMap;
use std::net::IpAddr;

use serde_json::{Value, json};
use sim_core::management::network::{
    ApplyRestrictions, FailLogin, GetBans, GetEnrichedBans, GetRestrictions, RemoveBans,
};
use sim_core::management::network_change::{ChangeRestrictions, ReviewRestrictions};
use sim_core::{Operation as _, Timestamp};

use super::rule::{Answer, Asked, Group, Rule, done, given, texts};
use super::time::{MINUTE, later};
use super::{Model, rule_of};
use crate::strategies::Text;

pub(super) const GROUP: Group = Group {
    rules: RULES,
    first: &[],
    next: |dice, model| {
        let rule = dice.pick(&[rule_of::<FailLogin>(), rule_of::<FailLogin>(), rule_of::<GetBans>()]);
        Some(rule.for_project(dice, model, 0))
    },
    works: &[],
};

const CIDRS: [Text; 4] = ["0.0.0.0/0", "192.0.2.0/24", "198.51.100.7/32", "10.0.0.0/8"];
const CIDRS_V6: [Text; 2] = ["::/0", "2001:db8::/32"];
const ADDRESSES: [Text; 5] = ["192.0.2.1", "198.51.100.7", "9.0.0.1", "2001:db8::1", "::1"];

const RULES: &[Rule] = &[
    Rule::read(
        GetRestrictions::META,
        "projects:read",
        |model, asked| Ok(model.restrictions(asked.project())),
    ),
    Rule::write(ApplyRestrictions::META, "projects:write", |model, asked| {
        if model.is_free(asked.project()) {
            return Err(400);
        }
        let once = |name: &str| {
            let mut kept: Vec<_> = Vec::new();
            let new = |one: &_, kept: &Vec<_>| !kept.contains(one);
            asked.texts(name).into_iter().for_each(|one| {
                if new(&one, &kept) {
                    kept.push(one);
                }
            });
            kept
        };
        let lists = [once("dbAllowedCidrs"), once("dbAllowedCidrsV6")];
        model.projects[asked.project()].network.allowed = Some(lists);
        Ok(model.restrictions(asked.project()))
    })
    .call(|dice, _, what| {
        let v4 = Some(json!(dice.some(&CIDRS, 2))).filter(|_| !dice.one_in(4));
        let v6 = dice.one_in(2).then(|| json!(dice.some(&CIDRS_V6, 2)));
        what.with(given([("dbAllowedCidrs", v4), ("dbAllowedCidrsV6", v6)]))
    })
    .bodies(|| {
        vec![
            json!({ "dbAllowedCidrs": "10.0.0.0/8" }),
            json!({ "dbAllowedCidrs": ["10.0.0.0/33"] }),
            json!({ "dbAllowedCidrs": ["2001:db8::/32"] }),
            json!({ "dbAllowedCidrsV6": ["10.0.0.0/8"] }),
            json!({ "dbAllowedCidrsV6": [1] }),
        ]
    }),
    Rule::control(FailLogin::META, fail_login)
        .call(|dice, _, what| what.with(json!({ "address": dice.pick(&ADDRESSES) })))
        .bodies(|| vec![json!({}), json!({ "address": 1 })]),
    Rule::read(GetBans::META, "projects:read", |model, asked| {
        let failures = &model.projects[asked.project()].network.failures;
        let banned = failures.iter().filter(|(_, one)| one.is_banned(model.now));
        Ok(
            json!({ "banned_ipv4_addresses": banned.map(|(address, _)| address.to_string()).collect::<Vec<_>>() }),
        )
    }),
    Rule::write(RemoveBans::META, "projects:write", |model, asked| {
        let failures = &mut model.projects[asked.project()].network.failures;
        for address in asked.texts("ipv4_addresses") {
            failures.retain(|other, one| other.to_string() != address || one.banned_until.is_none());
        }
        done()
    })
    .call(|dice, _, what| what.with(json!({ "ipv4_addresses": dice.some(&ADDRESSES, 2) })))
    .bodies(|| {
        vec![
            json!({}),
            json!({ "ipv4_addresses": "192.0.2.1" }),
            json!({ "ipv4_addresses": ["192.0.2"] }),
            json!({ "ipv4_addresses": ["::g"] }),
        ]
    }),
    Rule::read(GetEnrichedBans::META, "projects:read", |model, asked| {
        let failures = &model.projects[asked.project()].network.failures;
        let banned = failures.iter().filter(|(_, one)| one.is_banned(model.now));
        let enriched = |address: &IpAddr| json!({ "banned_address": address.to_string(), "identifier": format!("{{project {}}}", asked.project()) });
        let all: Vec<_> = banned.map(|(address, _)| enriched(address)).collect();
        Ok(json!({ "banned_ipv4_addresses": all }))
    }),
    Rule::write(ChangeRestrictions::META, "projects:write", |model, asked| {
        let project = asked.project();
        if model.is_free(project) {
            return Err(400);
        }
        let before = model.projects[project].network.allowed.clone().unwrap_or_else(everyone);
        let names = ["dbAllowedCidrs", "dbAllowedCidrsV6"];
        let after = std::array::from_fn(|family| {
            let of = |field: &str| texts(&asked.body(field)[names[family]]);
            let mut list = before[family].clone();
            list.retain(|one| !of("remove").contains(one));
            for one in of("add") {
                if !list.contains(&one) {
                    list.push(one);
                }
            }
            list
        });
        model.projects[project].network.allowed = Some(after);
        Ok(model.shown_together(project))
    })
    .call(|dice, _, what| {
        let [add, remove] = std::array::from_fn(|_| {
            let (v4, v6) = (dice.some(&CIDRS, 2), dice.some(&CIDRS_V6, 1));
            Some(json!({ "dbAllowedCidrs": v4, "dbAllowedCidrsV6": v6 })).filter(|_| !dice.one_in(3))
        });
        what.with(given([("add", add), ("remove", remove)]))
    })
    .bodies(|| {
        vec![
            json!({ "add": { "dbAllowedCidrs": "10.0.0.0/8" } }),
            json!({ "add": { "dbAllowedCidrs": ["10.0.0.0/33"] } }),
            json!({ "remove": { "dbAllowedCidrsV6": ["10.0.0.0/8"] } }),
            json!({ "remove": [] }),
        ]
    }),
    // Nothing waits for review: the policy does not want one.
    Rule::write(ReviewRestrictions::META, "projects:write", |model, asked| {
        Err(if model.is_free(asked.project()) { 400 } else { 404 })
    })
    .call(|dice, model, what| {
        let action = dice.pick(&["apply", "reject"]);
        what.with(json!({ "action": action, "requested_at": model.now.to_string() }))
    })
    .bodies(|| {
        vec![
            json!({}),
            json!({ "action": "wait", "requested_at": "2026-01-01T00:00:00Z" }),
            json!({ "action": "apply", "requested_at": "today" }),
        ]
    }),
];

fn everyone() -> [Vec<String>; 2] {
    [json!(["0.0.0.0/0"]), json!(["::/0"])].map(|list| texts(&list))
}

#[derive(Clone, Debug, Default)]
pub(super) struct Network {
    /// Networks of both families that may connect; `None` allows all.
    allowed: Option<[Vec<String>; 2]>,
    failures: BTreeMap<IpAddr, Failures>,
}

/// Failed log-ins from one address.
#[derive(Clone, Copy, Debug)]
struct Failures {
    count: u32,
    counts_until: Timestamp,
    banned_until: Option<Timestamp>,
}

impl Failures {
    fn is_banned(&self, now: Timestamp) -> bool {
        self.banned_until.is_some_and(|until| now < until)
    }
}

impl Network {
    fn admits(&self, address: IpAddr) -> bool {
        let bits = |address: IpAddr| match address {
            IpAddr::V4(four) => (32, u128::from(four.to_bits())),
            IpAddr::V6(six) => (128, six.to_bits()),
        };
        let is_in = |cidr: &String| {
            let (network, length) = cidr.split_once('/').expect("networks are drawn as CIDR");
            let (width, network) = bits(network.parse().expect("networks are drawn as CIDR"));
            let rest = width - length.parse::<u32>().expect("networks are drawn as CIDR");
            // Of `::/0` nothing is left to compare.
            (network ^ bits(address).1).checked_shr(rest).unwrap_or(0) == 0
        };
        let family = usize::from(address.is_ipv6());
        self.allowed.as_ref().is_none_or(|families| families[family].iter().any(is_in))
    }
}

fn fail_login(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let (now, network) = (model.now, &mut model.projects[asked.project()].network);
    let address = asked.text("address").parse().expect("addresses are drawn as such");
    if !network.admits(address) {
        return Ok(json!({ "refused": "network_restricted" }));
    }
    let before = network.failures.get(&address);
    if before.is_some_and(|before| before.is_banned(now)) {
        return Ok(json!({ "refused": "banned" }));
    }
    let counted = before.filter(|before| now < before.counts_until && before.banned_until.is_none());
    let count = counted.map_or(0, |before| before.count) + 1;
    let banned_until = (count >= 2).then(|| later(now, 30 * MINUTE));
    network.failures.insert(address, Failures { count, counts_until: later(now, 10 * MINUTE), banned_until });
    let refused = if banned_until.is_some() { "wrong_password_then_banned" } else { "wrong_password" };
    Ok(json!({ "refused": refused }))
}

impl Model {
    /// When failed log-ins stop counting, and when bans end.
    pub(super) fn ends_of_bans(&self) -> impl Iterator<Item = Timestamp> {
        let failures = self.projects.iter().flat_map(|project| project.network.failures.values());
        failures.flat_map(|one| [Some(one.counts_until), one.banned_until].into_iter().flatten())
    }

    /// The networks, with both families in one list.
    fn shown_together(&self, project: usize) -> Value {
        let [v4, v6] = self.projects[project].network.allowed.clone().unwrap_or_else(everyone);
        let of = |family: Text, list: Vec<String>| {
            list.into_iter().map(move |address| json!({ "address": address, "type": family }))
        };
        let both: Vec<_> = of("v4", v4).chain(of("v6", v6)).collect();
        json!({ "entitlement": "allowed", "config": { "dbAllowedCidrs": both }, "status": "applied" })
    }

    fn restrictions(&self, project: usize) -> Value {
        let entitlement = if self.is_free(project) { "disallowed" } else { "allowed" };
        let [v4, v6] = self.projects[project].network.allowed.clone().unwrap_or_else(everyone);
        json!({
            "entitlement": entitlement,
            "config": { "dbAllowedCidrs": v4, "dbAllowedCidrsV6": v6 },
            "old_config": null,
            "status": "applied",
        })
    }
}
