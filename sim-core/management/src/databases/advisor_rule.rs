//! The rules of the advisors: queries of a database's catalog.

use crate::advisor::Level;

/// A rule: its query and its message.
pub(crate) struct Rule {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) level: Level,
    pub(crate) description: &'static str,
    /// A text about the object found; `{}` stands for schema and name.
    pub(crate) detail: &'static str,
    /// The kind of object found.
    pub(crate) kind: &'static str,
    /// Its rows have the schema, the name and, if there is more to report, `more`.
    pub(crate) sql: &'static str,
}

/// Rules about who can read and write.
pub(crate) const SECURITY: &[Rule] = &[
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
    Rule {
        name: "foreign_table_in_api",
        title: "Foreign Table in API",
        level: Level::Warn,
        description: "Foreign tables in schemas that the API shows have no row level security.",
        detail: "Foreign table `{}` can be read by whoever reaches the API.",
        kind: "foreign table",
        sql: "select n.nspname as schema, c.relname as name from pg_catalog.pg_class c
              join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              where c.relkind = 'f' and n.nspname = 'public' order by c.relname",
    },
    Rule {
        name: "auth_users_exposed",
        title: "Exposed Auth Users",
        level: Level::Error,
        description: "A view in a schema that the API shows reads the users of the project with the rights of its owner.",
        detail: "View `{}` shows `auth.users` to roles of the API.",
        kind: "view",
        sql: r"select n.nspname as schema, c.relname as name from pg_catalog.pg_class c
              join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              where c.relkind in ('v', 'm') and n.nspname = 'public'
                and pg_catalog.pg_get_viewdef(c.oid) ~ '\yauth\.users\y'
                and not (c.relkind = 'v'
                  and coalesce(array_to_string(c.reloptions, ',') ~ 'security_invoker=(true|on|1)', false))
                and (has_table_privilege('anon', c.oid, 'SELECT') or has_table_privilege('authenticated', c.oid, 'SELECT'))
              order by c.relname",
    },
    Rule {
        name: "rls_references_user_metadata",
        title: "RLS references user metadata",
        level: Level::Error,
        description: "Users can change their `user_metadata`, so a policy can't rely on it.",
        detail: "Table `{}` has a policy that reads `user_metadata`.",
        kind: "table",
        sql: r"select schemaname as schema, tablename as name, policyname as more from pg_catalog.pg_policies
              where schemaname = 'public' and concat_ws(' ', qual, with_check) ~ 'user_metadata'
                and concat_ws(' ', qual, with_check) ~ '(auth\.jwt\(\)|request\.jwt\.claims)'
              order by 2, 3",
    },
    Rule {
        name: "function_search_path_mutable",
        title: "Function Search Path Mutable",
        level: Level::Warn,
        description: "A function without a search path of its own finds other things for other callers.",
        detail: "Function `{}` has no search path of its own.",
        kind: "function",
        sql: "select n.nspname as schema, p.proname as name,
                nullif(pg_catalog.pg_get_function_identity_arguments(p.oid), '') as more
              from pg_catalog.pg_proc p
              join pg_catalog.pg_namespace n on n.oid = p.pronamespace
              where n.nspname = 'public' and p.prokind in ('f', 'p')
                and not coalesce(array_to_string(p.proconfig, ',') ~ 'search_path=', false)
                and not exists (select 1 from pg_catalog.pg_depend d where d.objid = p.oid and d.deptype = 'e')
              order by p.proname, 3",
    },
    Rule {
        name: "extension_in_public",
        title: "Extension in Public",
        level: Level::Warn,
        description: "What an extension brings should not be in a schema that the API shows.",
        detail: "Extension `{}` is in a schema that the API shows.",
        kind: "extension",
        sql: "select n.nspname as schema, e.extname as name from pg_catalog.pg_extension e
              join pg_catalog.pg_namespace n on n.oid = e.extnamespace
              where n.nspname = 'public' order by e.extname",
    },
    Rule {
        name: "unsupported_reg_types",
        title: "Unsupported reg types",
        level: Level::Warn,
        description: "Columns of these types keep a database from being upgraded.",
        detail: "Table `{}` has a column whose type can't be upgraded.",
        kind: "table",
        sql: "select n.nspname as schema, c.relname as name, a.attname as more from pg_catalog.pg_attribute a
              join pg_catalog.pg_class c on c.oid = a.attrelid
              join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              join pg_catalog.pg_type t on t.oid = a.atttypid
              where c.relkind in ('r', 'p') and n.nspname = 'public' and a.attnum > 0 and not a.attisdropped
                and t.typname in ('regcollation', 'regconfig', 'regdictionary', 'regnamespace', 'regoper',
                  'regoperator', 'regproc', 'regprocedure')
              order by c.relname, a.attnum",
    },
];

/// Rules about what is slow.
pub(crate) const PERFORMANCE: &[Rule] = &[
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
    Rule {
        name: "auth_rls_initplan",
        title: "Auth RLS Initialization Plan",
        level: Level::Warn,
        description: "A policy that calls a function of the session is evaluated for each row, unless a `select` is around the call.",
        detail: "Table `{}` has a policy that calls a function of the session for each row.",
        kind: "table",
        sql: r"select schemaname as schema, tablename as name, policyname as more from pg_catalog.pg_policies
              where schemaname = 'public'
                and regexp_replace(concat_ws(' ', qual, with_check),
                  'select\s+(auth\.(uid|jwt|role|email)\(\)|current_setting\()', '', 'gi')
                  ~ '(auth\.(uid|jwt|role|email)\(\)|current_setting\()'
              order by 2, 3",
    },
];
