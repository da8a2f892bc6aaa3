//! The DNS of the outside world, as far as custom hostnames need it. The service does not manage it, so there
//! are control operations under `/_sim/dns`.

use serde::Serialize;
use sim_base::operations;
use sim_base::{Access, Cx, Error, FromJson, Meta, New, Operation, Resource, ToSchema, View, get, put, view};

use crate::kept;

operations![SetDns, GetDns];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE dns (name TEXT PRIMARY KEY, records TEXT NOT NULL) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] =
    &[view("dns", "The DNS records of a name.", "SELECT name, records FROM dns")];

/// The records of one name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct DnsRecords {
    /// The names of which it is an alias.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cname: Option<String>,
    /// Its texts.
    #[serde(default)]
    pub txt: Vec<String>,
    /// Authorities that may issue certificates for it; if empty, any may.
    #[serde(default)]
    pub caa: Vec<String>,
}

/// Set the DNS records of a name. Replaces its previous records.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct SetDns {
    /// The name.
    #[schemars(length(max = 254), regex(pattern = r"^[^\s/.]+(\.[^\s/.]+)*\.?$"), extend("x-rule" = "a name such as app.example.com"))]
    pub name: String,
    /// The names of which it is an alias.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 254))]
    pub cname: Option<String>,
    /// Its texts.
    #[serde(default)]
    #[schemars(length(max = 100), inner(length(max = 4096)))]
    pub txt: Vec<String>,
    /// Authorities that may issue certificates for it; if empty, any may.
    #[serde(default)]
    #[schemars(length(max = 100), inner(length(max = 4096)))]
    pub caa: Vec<String>,
}

impl SetDns {
    /// Makes `name` an alias of `target`.
    pub fn cname(name: &str, target: &str) -> SetDns {
        SetDns { name: name.to_owned(), cname: Some(target.to_owned()), txt: Vec::new(), caa: Vec::new() }
    }

    /// Gives `name` one text.
    pub fn txt(name: &str, text: &str) -> SetDns {
        SetDns { name: name.to_owned(), cname: None, txt: vec![text.to_owned()], caa: Vec::new() }
    }

    /// Allows certificates only from `authority`.
    #[must_use]
    pub fn caa(mut self, authority: &str) -> SetDns {
        self.caa.push(authority.to_owned());
        self
    }
}

impl Operation for SetDns {
    type Output = DnsRecords;
    const META: Meta = Meta { access: Access::Control, ..put("sim-set-dns", "/_sim/dns/{name}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<DnsRecords, Error> {
        let records = DnsRecords { cname: self.cname, txt: self.txt, caa: self.caa };
        let text = serde_json::to_string(&records).expect("records are plain data");
        let sql = "INSERT INTO dns VALUES (?1, ?2) ON CONFLICT DO UPDATE SET records = ?2";
        cx.db.run(sql, (canonical(&self.name), text));
        kept::require_room(cx)?;
        Ok(records)
    }
}

/// Get the DNS records of a name; there are none until they are set.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetDns {
    /// The name.
    pub name: String,
}

impl Operation for GetDns {
    type Output = DnsRecords;
    const META: Meta = Meta { access: Access::Control, ..get("sim-get-dns", "/_sim/dns/{name}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<DnsRecords, Error> {
        Ok(records(cx, &self.name))
    }
}

/// A resolver's result for `name`.
pub(crate) fn records(cx: &Cx<'_>, name: &str) -> DnsRecords {
    let sql = "SELECT records FROM dns WHERE name = ?1";
    let text = cx.db.maybe(sql, (canonical(name),), |row| row.get::<_, String>(0));
    text.map_or_else(DnsRecords::default, |text| {
        serde_json::from_str(&text).expect("stored records were written by the same type")
    })
}

/// Whether `name` is an alias of `target`.
pub(crate) fn points_at(cx: &Cx<'_>, name: &str, target: &str) -> bool {
    records(cx, name).cname.is_some_and(|cname| canonical(&cname) == canonical(target))
}

/// Whether one of the texts at `name` is `value`.
pub(crate) fn holds(cx: &Cx<'_>, name: &str, value: &str) -> bool {
    records(cx, name).txt.iter().any(|text| text == value)
}

/// The name, `name` or one above it, whose records forbid all `authorities` to issue a certificate for it.
pub(crate) fn forbids<'n>(cx: &Cx<'_>, name: &'n str, authorities: &[String]) -> Option<&'n str> {
    // The closest name that has any records decides.
    let mut above = std::iter::successors(Some(name), |name| Some(name.split_once('.')?.1));
    let (decides, allowed) =
        above.find_map(|name| Some((name, records(cx, name).caa)).filter(|(_, caa)| !caa.is_empty()))?;
    let is_ours = |one: &String| authorities.iter().any(|authority| authority.eq_ignore_ascii_case(one));
    (!allowed.iter().any(is_ours)).then_some(decides)
}

/// Comparing names ignores case and the dot at the end.
fn canonical(name: &str) -> String {
    name.trim_end_matches('.').to_ascii_lowercase()
}
