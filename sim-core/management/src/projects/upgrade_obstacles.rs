//! What an upgrade of a project would meet in its database, as control operations under `/_sim` set it.

use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{Access, Cx, Empty, Error, FromJson, Meta, New, Operation, Resource, ToSchema, put};

use crate::kept;
use crate::project::{self, ProjectRef, Row};

operations![SetUpgradeObstacles];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// A reason why an upgrade can't be started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the published names")]
pub enum ValidationError {
    /// Objects that depend on the extension for scheduled work.
    ObjectsDependingOnPgCron { dependents: Vec<String> },
    /// An index over a function that the new version lacks.
    IndexesReferencingLlToEarth { schema_name: String, table_name: String, index_name: String },
    /// A function in a language that the new version lacks.
    FunctionUsingObsoleteLang { schema_name: String, function_name: String, lang_name: String },
    /// An extension that the new version lacks.
    UnsupportedExtension { extension_name: String },
    /// A foreign data wrapper that the new version lacks.
    UnsupportedFdwHandler { fdw_name: String, fdw_handler_name: String },
    /// A sequence that is logged, of a table that is not.
    UnloggedTableWithPersistentSequence { schema_name: String, table_name: String, sequence_name: String },
    /// An object of a user in a schema of the platform.
    UserDefinedObjectsInInternalSchemas { obj_type: UserObjectType, schema_name: String, obj_name: String },
    /// A replication slot in use.
    ActiveReplicationSlot { slot_name: String },
    /// A column whose type refers to the catalog by number.
    #[serde(rename = "table_using_reg_type")]
    TableUsingRegType { schema_name: String, table_name: String, column_name: String, type_name: String },
    /// The machine has an older kind of processor.
    #[serde(rename = "x86_architecture")]
    X86Architecture,
    /// The project is hibernating.
    ProjectHibernating,
}

/// The kind of a user's object in a schema of the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(extend("x-closed" = true))]
#[expect(missing_docs, reason = "they are what they say")]
pub enum UserObjectType {
    Table,
    Function,
}

/// A warning for the time after an upgrade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum UpgradeWarning {
    /// The GraphQL interface does not describe itself any more unless it is configured to.
    PgGraphqlIntrospectionChange,
    /// Indexes over label trees must be rebuilt.
    LtreeReindexRequired,
    /// Operators with estimators of users need a superuser.
    OperatorEstimatorGate,
    /// Indexes that contain NaN must be rebuilt.
    BtreeGistNanReindex,
    /// Indexes over texts must be rebuilt, because their order has changed.
    CollationReindexRequired,
}

/// Set the obstacles that an upgrade finds in a project's database.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct SetUpgradeObstacles {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Objects that would stop working: no upgrade is started.
    #[serde(default)]
    pub potential_breaking_changes: Vec<String>,
    /// Roles that will need new passwords afterwards.
    #[serde(default)]
    pub legacy_auth_custom_roles: Vec<String>,
    /// Objects that depend on extensions which the new version lacks: no upgrade is started.
    #[serde(default)]
    pub extension_dependent_objects: Vec<String>,
    /// Objects that the upgrade drops.
    #[serde(default)]
    pub objects_to_be_dropped: Vec<String>,
    /// Extensions that the new version lacks: no upgrade is started.
    #[serde(default)]
    pub unsupported_extensions: Vec<String>,
    /// Objects of users in schemas of the platform: no upgrade is started.
    #[serde(default)]
    pub user_defined_objects_in_internal_schemas: Vec<String>,
    /// Other reasons why an upgrade can't be started.
    #[serde(default)]
    pub validation_errors: Vec<ValidationError>,
    /// Warnings for the time after the upgrade.
    #[serde(default)]
    pub warnings: Vec<UpgradeWarning>,
}

impl Operation for SetUpgradeObstacles {
    type Output = Empty;
    const META: Meta = Meta {
        access: Access::Control,
        ..put("sim-set-upgrade-obstacles", "/_sim/projects/{ref}/upgrade/obstacles")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let text = serde_json::to_string(&Obstacles::from(self)).expect("obstacles are plain data");
        let sql = "INSERT INTO upgrade_plan (project, obstacles) VALUES (?1, ?2)
                   ON CONFLICT DO UPDATE SET obstacles = ?2";
        cx.db.run(sql, (project.r#ref, text));
        kept::require_room(cx)?;
        Ok(Empty {})
    }
}

/// The obstacles of an upgrade, as stored.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Obstacles {
    pub(crate) potential_breaking_changes: Vec<String>,
    pub(crate) legacy_auth_custom_roles: Vec<String>,
    pub(crate) extension_dependent_objects: Vec<String>,
    pub(crate) objects_to_be_dropped: Vec<String>,
    pub(crate) unsupported_extensions: Vec<String>,
    pub(crate) user_defined_objects_in_internal_schemas: Vec<String>,
    pub(crate) validation_errors: Vec<ValidationError>,
    pub(crate) warnings: Vec<UpgradeWarning>,
}

impl From<SetUpgradeObstacles> for Obstacles {
    fn from(set: SetUpgradeObstacles) -> Obstacles {
        Obstacles {
            potential_breaking_changes: set.potential_breaking_changes,
            legacy_auth_custom_roles: set.legacy_auth_custom_roles,
            extension_dependent_objects: set.extension_dependent_objects,
            objects_to_be_dropped: set.objects_to_be_dropped,
            unsupported_extensions: set.unsupported_extensions,
            user_defined_objects_in_internal_schemas: set.user_defined_objects_in_internal_schemas,
            validation_errors: set.validation_errors,
            warnings: set.warnings,
        }
    }
}

impl Obstacles {
    pub(crate) fn of(cx: &Cx<'_>, project: &Row) -> Obstacles {
        let sql = "SELECT obstacles FROM upgrade_plan WHERE project = ?1";
        let stored = cx.db.maybe(sql, (&project.r#ref,), |row| row.get::<_, Option<String>>(0)).flatten();
        stored.map_or_else(Obstacles::default, |text| {
            serde_json::from_str(&text).expect("stored obstacles were written by the same type")
        })
    }

    /// The refusal of an upgrade with these obstacles, if they prevent it.
    pub(crate) fn refusal(self) -> Option<Error> {
        let types = self.validation_errors.iter().map(ValidationError::name).collect();
        let lists = [
            ("breaking_changes", "Breaking changes must be resolved", self.potential_breaking_changes),
            ("dependent_objects", "Dependent objects must be dropped", self.extension_dependent_objects),
            ("unsupported_extensions", "Unsupported extensions must be dropped", self.unsupported_extensions),
            (
                "internal_objects",
                "Objects in schemas of the platform must be moved",
                self.user_defined_objects_in_internal_schemas,
            ),
            ("validation_errors", "Problems must be resolved", types),
        ];
        let (reason, what, list) = lists.into_iter().find(|(.., list)| !list.is_empty())?;
        let text = format!("{what} before the project can be upgraded: {}", list.join(", "));
        Some(Error::invalid(reason, text))
    }
}

impl ValidationError {
    /// Its published type.
    fn name(&self) -> String {
        let fields = serde_json::to_value(self).expect("an obstacle is plain data");
        fields["type"].as_str().unwrap_or_default().to_owned()
    }
}
