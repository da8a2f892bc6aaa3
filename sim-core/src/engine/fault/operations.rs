//! The control operations that list and change fault rules.

use std::fmt;

use serde::{Deserialize, Serialize};
use sim_base::cx::Cx;
use sim_base::db::Db;
use sim_base::error::{Error, Kind};
use sim_base::near;
use sim_base::operation::{Access, Body, Empty, Meta, Operation, delete, get, post, put};
use sim_base::time::{Timestamp, from_micros};
use sim_base::{New, ToSchema};

use super::rule::Fault;
use crate::operations;

operations![AddFault, ListFaults, SetFaults, DeleteFault];

/// The path under which rules are changed.
pub(crate) const PATH: &str = "/_sim/faults";

/// How many rules a world may have. Every call tries all of them.
const RULES_MAX: i64 = 1000;

/// A rule, with its counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FaultStanding {
    /// Its number, from 1.
    pub id: i64,
    /// The rule.
    pub rule: Fault,
    /// The number of calls that it has matched.
    pub met: u32,
    /// The number of calls to which it has applied.
    pub struck: u32,
    /// When it applied for the first time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub since: Option<Timestamp>,
}

impl fmt::Display for FaultStanding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = serde_json::to_string(&self.rule).expect("a rule is plain data");
        let met = near::counted(self.met.into(), "call");
        write!(f, "rule {} matched {met} and applied to {}: {rule}", self.id, self.struck)
    }
}

/// Add a rule after the existing ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AddFault(pub Fault);

impl Operation for AddFault {
    type Output = FaultStanding;
    const META: Meta = Meta { access: Access::Control, ..post("sim-add-fault", PATH) };

    fn run(self, cx: &mut Cx<'_>) -> Result<FaultStanding, Error> {
        add(cx, self.0)
    }
}

/// List the rules in the order in which they are tried, with their counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, New)]
pub struct ListFaults {}

impl Operation for ListFaults {
    type Output = Vec<FaultStanding>;
    const META: Meta = Meta { access: Access::Control, ..get("sim-list-faults", PATH) };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<FaultStanding>, Error> {
        Ok(cx.db.all(STANDING, (), standing))
    }
}

/// Replace all rules by these; an empty list ends all faults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema, New)]
pub struct SetFaults {
    /// The rules, in the order in which they are tried.
    pub rules: Vec<Fault>,
}

impl Operation for SetFaults {
    type Output = Vec<FaultStanding>;
    const META: Meta =
        Meta { access: Access::Control, body: Body::Field("rules"), ..put("sim-set-faults", PATH) };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<FaultStanding>, Error> {
        cx.db.run("DELETE FROM fault", ());
        self.rules.into_iter().map(|rule| add(cx, rule)).collect()
    }
}

/// Delete a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, New)]
pub struct DeleteFault {
    /// Its number.
    pub id: String,
}

impl Operation for DeleteFault {
    type Output = Empty;
    const META: Meta = Meta { access: Access::Control, ..delete("sim-delete-fault", "/_sim/faults/{id}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let id: Option<i64> = self.id.parse().ok();
        if cx.db.run("DELETE FROM fault WHERE id = ?1", (id,)) == 1 {
            return Ok(Empty {});
        }
        let text = format!("There is no fault {}; GET /_sim/faults lists them", self.id);
        Err(Error::new(Kind::NotFound, "fault_not_found", text))
    }
}

fn add(cx: &Cx<'_>, rule: Fault) -> Result<FaultStanding, Error> {
    rule.check(cx)?;
    let rules: i64 = cx.db.one("SELECT count(*) FROM fault", (), |row| row.get(0));
    if rules >= RULES_MAX {
        let text = format!("there are {rules} rules already, as many as a world may have; delete some");
        return Err(Error::invalid("too_many_faults", text));
    }
    let text = serde_json::to_string(&rule).expect("a rule is plain data");
    let id = cx.db.insert("INSERT INTO fault (rule) VALUES (?1)", (text,));
    Ok(FaultStanding { id, rule, met: 0, struck: 0, since: None })
}

/// The rules that have not struck any call.
pub(crate) fn unused(db: Db<'_>) -> Vec<FaultStanding> {
    db.all(STANDING, (), standing).into_iter().filter(|rule| rule.struck == 0).collect()
}

/// The query whose rows [`standing`] reads.
pub(super) const STANDING: &str = "SELECT id, rule, met, struck, since FROM fault ORDER BY id";

pub(super) fn standing(row: &rusqlite::Row<'_>) -> rusqlite::Result<FaultStanding> {
    let rule: String = row.get(1)?;
    let rule = serde_json::from_str(&rule).expect("a stored rule was written by the same type");
    let since = row.get::<_, Option<i64>>(4)?.map(from_micros);
    Ok(FaultStanding { id: row.get(0)?, rule, met: row.get(2)?, struck: row.get(3)?, since })
}
