//! `/v1/projects/{ref}/advisors`: likely problems in a project's database, read from its catalog.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{Cx, Edition, Error, Meta, Needs, Operation, Resource, Scope, Timestamp, get};

use crate::project::{self, ProjectRef, Row};
use crate::query;

operations![AdviseSecurity, AdvisePerformance];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// The findings of an advisor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Advice {
    /// The findings, by rule and then by name.
    pub lints: Vec<Lint>,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Facing {
    /// Users of the database through its API.
    External,
}

/// The details of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum Level {
    Error,
    Warn,
    Info,
}

/// Find weaknesses in the security of a project's database.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AdviseSecurity {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The method; `sql` by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lint_type: Option<LintType>,
}

/// The method of an advisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
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

/// A rule: its query and its message.
struct Rule {
    name: &'static str,
    title: &'static str,
    level: Level,
    description: &'static str,
    /// A text about the object found; `{}` stands for schema and name.
    detail: &'static str,
    /// The kind of object found.
    kind: &'static str,
    /// Its rows have the schema, the name and, if there is more to report, `more`.
    sql: &'static str,
}

const SECURITY: &[Rule] = &[
    Rule {
        name: "policy_exists_rls_disabled",
        title: "Policy Exists RLS Disabled",
        level: Level::Error,
        description: "Row level security policies have been created, but row level security is not enabled for the table.",
        detail: "Table `{}` has row level security policies, but row level security is not enabled on it.",
        kind: "table",
        sql: "select n.nspname as schema, c.relname as name from pg_catalog.pg_class c
              join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              where c.relkind in ('r', 'p') and not c.relrowsecurity and n.nspname = 'public'
                and exists (select 1 from pg_catalog.pg_policy p where p.polrelid = c.oid)
              order by c.relname",
    },
    Rule {
        name: "rls_disabled_in_public",
        title: "RLS Disabled in Public",
        level: Level::Error,
        description: "Tables in schemas that the API shows can be read and written by anybody unless row level security is enabled.",
        detail: "Table `{}` is public, but row level security has not been enabled.",
        kind: "table",
        sql: "select n.nspname as schema, c.relname as name from pg_catalog.pg_class c
              join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              where c.relkind in ('r', 'p') and not c.relrowsecurity and n.nspname = 'public'
              order by c.relname",
    },
    Rule {
        name: "rls_enabled_no_policy",
        title: "RLS Enabled No Policy",
        level: Level::Info,
        description: "Row level security is enabled, but no policies have been created: nobody reads or writes the table through the API.",
        detail: "Table `{}` has row level security enabled, but no policies exist.",
        kind: "table",
        sql: "select n.nspname as schema, c.relname as name from pg_catalog.pg_class c
              join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              where c.relkind in ('r', 'p') and c.relrowsecurity and n.nspname = 'public'
                and not exists (select 1 from pg_catalog.pg_policy p where p.polrelid = c.oid)
              order by c.relname",
    },
    Rule {
        name: "security_definer_view",
        title: "Security Definer View",
        level: Level::Error,
        description: "A view reads with the rights of who made it, past the row level security of its tables.",
        detail: "View `{}` reads with the rights of its owner.",
        kind: "view",
        sql: "select n.nspname as schema, c.relname as name from pg_catalog.pg_class c
              join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              where c.relkind = 'v' and n.nspname = 'public'
                and not coalesce(array_to_string(c.reloptions, ',') ~ 'security_invoker=(true|on|1)', false)
              order by c.relname",
    },
    Rule {
        name: "materialized_view_in_api",
        title: "Materialized View in API",
        level: Level::Warn,
        description: "Materialized views in schemas that the API shows have no row level security.",
        detail: "Materialized view `{}` can be read by whoever reaches the API.",
        kind: "materialized view",
        sql: "select n.nspname as schema, c.relname as name from pg_catalog.pg_class c
              join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              where c.relkind = 'm' and n.nspname = 'public' order by c.relname",
    },
];

const PERFORMANCE: &[Rule] = &[
    Rule {
        name: "unindexed_foreign_keys",
        title: "Unindexed foreign keys",
        level: Level::Info,
        description: "Foreign keys without an index that begins with their columns make deletes and joins slow.",
        detail: "Table `{}` has a foreign key without a covering index.",
        kind: "table",
        sql: "select n.nspname as schema, c.relname as name, k.conname as more, k.conkey as fkey_columns
              from pg_catalog.pg_constraint k
              join pg_catalog.pg_class c on c.oid = k.conrelid
              join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              where k.contype = 'f' and n.nspname = 'public'
                and not exists (
                    select 1 from pg_catalog.pg_index i where i.indrelid = k.conrelid
                    and i.indkey::text || ' ' like array_to_string(k.conkey, ' ') || ' %')
              order by c.relname, k.conname",
    },
    Rule {
        name: "no_primary_key",
        title: "No Primary Key",
        level: Level::Info,
        description: "Rows of a table without a primary key can't be told apart, and it can't be replicated well.",
        detail: "Table `{}` does not have a primary key.",
        kind: "table",
        sql: "select n.nspname as schema, c.relname as name from pg_catalog.pg_class c
              join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              where c.relkind in ('r', 'p') and n.nspname = 'public'
                and not exists (select 1 from pg_catalog.pg_index i where i.indrelid = c.oid and i.indisprimary)
              order by c.relname",
    },
    Rule {
        name: "duplicate_index",
        title: "Duplicate Index",
        level: Level::Warn,
        description: "Two indexes that are alike cost twice and help once.",
        detail: "Table `{}` has identical indexes.",
        kind: "table",
        sql: "select schemaname as schema, tablename as name, string_agg(indexname, ',' order by indexname) as more
              from pg_catalog.pg_indexes where schemaname = 'public'
              group by schemaname, tablename, substr(indexdef, position(' ON ' in indexdef))
              having count(*) > 1 order by 2, 3",
    },
    Rule {
        name: "multiple_permissive_policies",
        title: "Multiple Permissive Policies",
        level: Level::Warn,
        description: "Several permissive policies for one role and command are all evaluated for each row.",
        detail: "Table `{}` has several permissive policies for the same role and command.",
        kind: "table",
        sql: "select schemaname as schema, tablename as name, cmd || ' ' || roles::text as more
              from pg_catalog.pg_policies where schemaname = 'public' and permissive = 'PERMISSIVE'
              group by schemaname, tablename, cmd, roles::text having count(*) > 1 order by 2, 3",
    },
];

/// An object that a rule finds.
#[derive(Deserialize)]
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
