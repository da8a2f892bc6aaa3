//! `/v1/projects/{ref}/advisors`: likely problems in a project's database, read from its catalog.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Meta, Needs, New, Operation, Resource, Scope, Timestamp, ToSchema, get,
};

use crate::advisor_rule::{PERFORMANCE, Rule, SECURITY};
use crate::project::{self, ProjectRef, Row};
use crate::query;

operations![AdviseSecurity, AdvisePerformance];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// The findings of an advisor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Advice {
    /// The findings, by rule and then by name.
    pub lints: Vec<Lint>,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Lint {
    /// The rule: `rls_disabled_in_public`.
    pub name: String,
    /// The title of the rule.
    pub title: String,
    /// Its level.
    pub level: Level,
    /// The affected group.
    pub facing: Facing,
    /// `SECURITY`, `PERFORMANCE` or `HEALTH`.
    pub categories: Vec<String>,
    /// The description of the rule.
    pub description: String,
    /// The description of the finding.
    pub detail: String,
    /// The address of further documentation.
    pub remediation: String,
    /// The details of the finding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<LintMetadata>,
    /// An identifier that is always the same for the same finding.
    pub cache_key: String,
    /// The time of the observation; absent for what catalog and settings show as of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub observed_at: Option<Timestamp>,
}

/// A group affected by a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Facing {
    /// Users of the database through its API.
    External,
}

/// The details of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct LintMetadata {
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Its type.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "lint_types")]
    pub r#type: Option<String>,
    /// The object, if it is not in a schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity: Option<String>,
    /// The foreign key, for findings about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fkey_name: Option<String>,
    /// Numbers of the foreign key's columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fkey_columns: Option<Vec<i64>>,
    /// Further information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<String>,
}

fn lint_types(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": [
        "table", "view", "materialized view", "foreign table", "auth", "function", "extension", "compliance", "health",
    ] })
}

/// The level of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum Level {
    Error,
    Warn,
    Info,
}

/// Find weaknesses in the security of a project's database.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct AdviseSecurity {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The method; `sql` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lint_type: Option<LintType>,
}

/// The method of an advisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LintType {
    /// Queries of the catalog.
    Sql,
}

impl Operation for AdviseSecurity {
    type Output = Advice;
    const META: Meta = Meta {
        deprecated: true,
        since: Edition::V2026_11,
        query: &["lint_type"],
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to get security advisors",
        needs: Needs::DATABASE,
        ..get("v1-get-security-advisors", "/v1/projects/{ref}/advisors/security")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Advice, Error> {
        advise(cx, &self.r#ref, "SECURITY", SECURITY)
    }
}

/// Find problems that make a project's database slow.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct AdvisePerformance {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for AdvisePerformance {
    type Output = Advice;
    const META: Meta = Meta {
        deprecated: true,
        since: Edition::V2026_11,
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to get performance advisors",
        needs: Needs::DATABASE,
        ..get("v1-get-performance-advisors", "/v1/projects/{ref}/advisors/performance")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Advice, Error> {
        advise(cx, &self.r#ref, "PERFORMANCE", PERFORMANCE)
    }
}

/// An object that a rule finds.
#[derive(FromJson)]
struct Found {
    schema: String,
    name: String,
    #[serde(default)]
    more: Option<String>,
    #[serde(default)]
    fkey_columns: Option<Vec<i64>>,
}

impl Rule {
    fn metadata(
        &self,
        schema: String,
        name: String,
        more: Option<String>,
        fkey_columns: Option<Vec<i64>>,
    ) -> LintMetadata {
        let (fkey_name, more) = if fkey_columns.is_some() { (more, None) } else { (None, more) };
        let (name, schema) = (Some(name), Some(schema));
        let r#type = Some(self.kind.to_owned());
        LintMetadata { name, schema, r#type, entity: None, fkey_name, fkey_columns, more }
    }

    fn lints(&self, cx: &Cx<'_>, project: &Row, category: &str) -> Result<Vec<Lint>, Error> {
        let found: Vec<Found> = query::look(cx, project, self.sql)?;
        Ok(found.into_iter().map(|found| self.lint(category, found)).collect())
    }

    fn lint(&self, category: &str, found: Found) -> Lint {
        let Found { schema, name, more, fkey_columns } = found;
        let key = [Some(self.name), Some(&*schema), Some(&*name), more.as_deref()];
        let cache_key = key.into_iter().flatten().collect::<Vec<_>>().join("_");
        Lint {
            name: self.name.to_owned(),
            title: self.title.to_owned(),
            level: self.level,
            facing: Facing::External,
            categories: vec![category.to_owned()],
            description: self.description.to_owned(),
            detail: self.detail.replace("{}", &format!("{schema}.{name}")),
            remediation: format!("See the documents on {}.", self.name),
            metadata: Some(self.metadata(schema, name, more, fkey_columns)),
            cache_key,
            observed_at: None,
        }
    }
}

fn advise(cx: &Cx<'_>, r#ref: &ProjectRef, category: &str, rules: &[Rule]) -> Result<Advice, Error> {
    let project = project::load(cx, r#ref)?;
    let mut lints = Vec::new();
    for rule in rules {
        lints.extend(rule.lints(cx, &project, category)?);
    }
    Ok(Advice { lints })
}

/// What the rule of that name finds in the database's catalog; `None` if no rule about catalogs has that name.
pub(crate) fn in_catalog(cx: &Cx<'_>, project: &Row, name: &str) -> Option<Result<Vec<Lint>, Error>> {
    let named = |rules: &'static [Rule]| rules.iter().find(|rule| rule.name == name);
    let found = [("SECURITY", SECURITY), ("PERFORMANCE", PERFORMANCE)]
        .into_iter()
        .find_map(|(category, rules)| Some((category, named(rules)?)));
    found.map(|(category, rule)| rule.lints(cx, project, category))
}
