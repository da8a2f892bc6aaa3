//! SQL that changes the schema of one project's database into that of another's.
//!
//! A catalog is read as pieces, each with SQL that creates it and SQL that drops it. A piece in only one of
//! the two is created or dropped. A piece that differs is dropped and created again, except columns and
//! enums, which are altered in place.

use std::fmt::Write as _;

use sim_base::{Cx, Error, FromJson};

use crate::project::Row as Project;
use crate::query;

/// SQL that changes the schema of `from` into that of `to`; only the `included` schemas, if any are given.
pub(crate) fn between(
    cx: &Cx<'_>,
    from: &Project,
    to: &Project,
    included: Option<&[&str]>,
) -> Result<String, Error> {
    let scope = scope(cx, included);
    let (old, new) = (Catalog::read(cx, from, &scope)?, Catalog::read(cx, to, &scope)?);
    let mut script = Script::default();
    let later = KINDS.iter().zip(old.pieces.iter().zip(&new.pieces)).collect::<Vec<_>>();
    for (kind, (old_pieces, new_pieces)) in later.iter().rev() {
        if kind.is_of_tables() {
            script.tables_gone(&old, &new);
        }
        script.gone(kind, old_pieces, new_pieces, &new);
    }
    for (kind, (old_pieces, new_pieces)) in later {
        script.made(kind, old_pieces, new_pieces);
        if kind.is_of_tables() {
            script.tables_made(&old, &new);
        }
    }
    Ok(script.0)
}

/// The condition that the schema `{}` is compared.
fn scope(cx: &Cx<'_>, included: Option<&[&str]>) -> String {
    let quoted = |name: &&str| format!("'{}'", name.replace('\'', "''"));
    match included {
        Some(included) => format!("{{}} in ({})", included.iter().map(quoted).collect::<Vec<_>>().join(", ")),
        None => {
            let own = PLATFORM.iter().copied().chain([cx.profile.migrations_schema.as_str()]);
            let list = own.map(|name| quoted(&name)).collect::<Vec<_>>().join(", ");
            format!("({{}} !~ '^pg_' and {{}} not in ({list}))")
        }
    }
}

/// Schemas that come with a database.
const PLATFORM: [&str; 4] = ["information_schema", "auth", "storage", "extensions"];

/// A kind of piece.
struct Kind {
    name: &'static str,
    /// Its rows have `name`, `made`, `gone` and, if it is dropped with its table, `table`; `{scope NAME}` is
    /// the condition on a schema.
    sql: &'static str,
    /// The way to change a piece of this kind into another with the same name.
    change: Change,
}

/// The way to change a piece into another with the same name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// It is dropped and created again.
    Anew,
    /// Creating it replaces the old one.
    Replaced,
    /// It gets the missing labels.
    Labelled,
    /// It stays unchanged.
    Never,
}

impl Kind {
    /// Whether tables are created before it and dropped after it.
    fn is_of_tables(&self) -> bool {
        self.name == "sequence"
    }
}

/// In the order of creation.
const KINDS: [Kind; 11] = [
    Kind {
        name: "schema",
        sql: "select quote_ident(nspname) as name, 'create schema ' || quote_ident(nspname) as made,
                     'drop schema ' || quote_ident(nspname) as gone
              from pg_catalog.pg_namespace where {scope nspname} order by nspname",
        change: Change::Never,
    },
    Kind {
        name: "enum",
        sql: "select quote_ident(n.nspname) || '.' || quote_ident(t.typname) as name,
                     'create type ' || quote_ident(n.nspname) || '.' || quote_ident(t.typname) || ' as enum ('
                     || string_agg(quote_literal(e.enumlabel), ', ' order by e.enumsortorder) || ')' as made,
                     'drop type ' || quote_ident(n.nspname) || '.' || quote_ident(t.typname) as gone
              from pg_catalog.pg_type t
              join pg_catalog.pg_enum e on e.enumtypid = t.oid
              join pg_catalog.pg_namespace n on n.oid = t.typnamespace
              where {scope n.nspname} group by n.nspname, t.typname order by n.nspname, t.typname",
        change: Change::Labelled,
    },
    // Sequences of identity columns are not listed there.
    Kind {
        name: "sequence",
        sql: "select quote_ident(sequence_schema) || '.' || quote_ident(sequence_name) as name,
                     'create sequence ' || quote_ident(sequence_schema) || '.' || quote_ident(sequence_name)
                     || ' as ' || data_type as made,
                     'drop sequence if exists ' || quote_ident(sequence_schema) || '.' || quote_ident(sequence_name) as gone
              from information_schema.sequences where {scope sequence_schema} order by sequence_schema, sequence_name",
        change: Change::Never,
    },
    Kind {
        name: "function",
        sql: "select quote_ident(n.nspname) || '.' || quote_ident(p.proname) || '('
                     || pg_get_function_identity_arguments(p.oid) || ') returns ' || pg_get_function_result(p.oid) as name,
                     rtrim(pg_get_functiondef(p.oid), chr(10)) as made,
                     'drop function ' || quote_ident(n.nspname) || '.' || quote_ident(p.proname) || '('
                     || pg_get_function_identity_arguments(p.oid) || ')' as gone
              from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
              where p.prokind = 'f' and {scope n.nspname}
              order by n.nspname, p.proname, pg_get_function_identity_arguments(p.oid)",
        change: Change::Replaced,
    },
    Kind {
        name: "constraint",
        sql: "select quote_ident(k.conname) || ' on ' || quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name,
                     'alter table ' || quote_ident(n.nspname) || '.' || quote_ident(c.relname) || ' add constraint '
                     || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid) as made,
                     'alter table ' || quote_ident(n.nspname) || '.' || quote_ident(c.relname) || ' drop constraint '
                     || quote_ident(k.conname) as gone,
                     quote_ident(n.nspname) || '.' || quote_ident(c.relname) as \"table\"
              from pg_catalog.pg_constraint k
              join pg_catalog.pg_class c on c.oid = k.conrelid
              join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              where k.contype in ('p', 'u', 'c', 'f') and {scope n.nspname}
              order by k.contype = 'f', k.contype = 'c', n.nspname, c.relname, k.conname",
        change: Change::Anew,
    },
    Kind {
        name: "index",
        sql: "select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name,
                     pg_get_indexdef(i.indexrelid) as made,
                     'drop index ' || quote_ident(n.nspname) || '.' || quote_ident(c.relname) as gone,
                     quote_ident(n.nspname) || '.' || quote_ident(t.relname) as \"table\"
              from pg_catalog.pg_index i
              join pg_catalog.pg_class c on c.oid = i.indexrelid
              join pg_catalog.pg_class t on t.oid = i.indrelid
              join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              where {scope n.nspname} and not exists (
                  select 1 from pg_catalog.pg_constraint k
                  where k.conindid = i.indexrelid and k.contype in ('p', 'u'))
              order by n.nspname, c.relname",
        change: Change::Anew,
    },
    Kind {
        name: "view",
        sql: "select quote_ident(schemaname) || '.' || quote_ident(viewname) as name,
                     'create view ' || quote_ident(schemaname) || '.' || quote_ident(viewname) || ' as'
                     || rtrim(definition, ';') as made,
                     'drop view ' || quote_ident(schemaname) || '.' || quote_ident(viewname) as gone
              from pg_catalog.pg_views where {scope schemaname} order by schemaname, viewname",
        change: Change::Anew,
    },
    Kind {
        name: "materialized view",
        sql: "select quote_ident(schemaname) || '.' || quote_ident(matviewname) as name,
                     'create materialized view ' || quote_ident(schemaname) || '.' || quote_ident(matviewname) || ' as'
                     || rtrim(definition, ';') as made,
                     'drop materialized view ' || quote_ident(schemaname) || '.' || quote_ident(matviewname) as gone
              from pg_catalog.pg_matviews where {scope schemaname} order by schemaname, matviewname",
        change: Change::Anew,
    },
    Kind {
        name: "trigger",
        sql: "select quote_ident(t.tgname) || ' on ' || quote_ident(n.nspname) || '.' || quote_ident(c.relname) as name,
                     pg_get_triggerdef(t.oid) as made,
                     'drop trigger ' || quote_ident(t.tgname) || ' on ' || quote_ident(n.nspname) || '.'
                     || quote_ident(c.relname) as gone,
                     quote_ident(n.nspname) || '.' || quote_ident(c.relname) as \"table\"
              from pg_catalog.pg_trigger t
              join pg_catalog.pg_class c on c.oid = t.tgrelid
              join pg_catalog.pg_namespace n on n.oid = c.relnamespace
              where not t.tgisinternal and {scope n.nspname} order by n.nspname, c.relname, t.tgname",
        change: Change::Anew,
    },
    Kind {
        name: "row level security",
        sql: "select quote_ident(schemaname) || '.' || quote_ident(tablename) as name,
                     'alter table ' || quote_ident(schemaname) || '.' || quote_ident(tablename)
                     || ' enable row level security' as made,
                     'alter table ' || quote_ident(schemaname) || '.' || quote_ident(tablename)
                     || ' disable row level security' as gone,
                     quote_ident(schemaname) || '.' || quote_ident(tablename) as \"table\"
              from pg_catalog.pg_tables where rowsecurity and {scope schemaname} order by schemaname, tablename",
        change: Change::Never,
    },
    Kind {
        name: "policy",
        sql: "select quote_ident(policyname) || ' on ' || quote_ident(schemaname) || '.' || quote_ident(tablename) as name,
                     'create policy ' || quote_ident(policyname) || ' on ' || quote_ident(schemaname) || '.'
                     || quote_ident(tablename) || ' as ' || lower(permissive) || ' for ' || lower(cmd) || ' to '
                     || array_to_string(roles, ', ') || coalesce(' using (' || qual || ')', '')
                     || coalesce(' with check (' || with_check || ')', '') as made,
                     'drop policy ' || quote_ident(policyname) || ' on ' || quote_ident(schemaname) || '.'
                     || quote_ident(tablename) as gone,
                     quote_ident(schemaname) || '.' || quote_ident(tablename) as \"table\"
              from pg_catalog.pg_policies where {scope schemaname} order by schemaname, tablename, policyname",
        change: Change::Anew,
    },
];

const COLUMNS: &str = "
    select quote_ident(n.nspname) || '.' || quote_ident(c.relname) as \"table\", quote_ident(a.attname) as name,
           format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
           case when a.attidentity = 'a' then 'generated always as identity'
                when a.attidentity = 'd' then 'generated by default as identity'
                when a.attgenerated = 's' then 'generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
           end as computed,
           case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end as preset
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    left join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relkind in ('r', 'p') and {scope n.nspname}
    order by n.nspname, c.relname, a.attnum";

/// The content of a schema.
struct Catalog {
    /// By kind, in the order of [`KINDS`].
    pieces: Vec<Vec<Piece>>,
    tables: Vec<Table>,
}

/// A piece that is created and dropped as a whole.
#[derive(FromJson)]
struct Piece {
    /// In SQL notation, with what distinguishes it from others of its kind.
    name: String,
    made: String,
    gone: String,
    /// The table that it is dropped with.
    #[serde(default)]
    table: Option<String>,
}

struct Table {
    name: String,
    columns: Vec<Column>,
}

#[derive(FromJson)]
struct ColumnRow {
    table: String,
    /// A table may have no columns.
    name: Option<String>,
    r#type: Option<String>,
    required: Option<bool>,
    computed: Option<String>,
    preset: Option<String>,
}

#[derive(PartialEq, Eq)]
struct Column {
    name: String,
    r#type: String,
    required: bool,
    /// The identity or expression that gives its values, if statements do not.
    computed: Option<String>,
    preset: Option<String>,
}

impl Catalog {
    fn read(cx: &Cx<'_>, project: &Project, scope: &str) -> Result<Catalog, Error> {
        let pieces = KINDS.iter().map(|kind| query::look(cx, project, &scoped(kind.sql, scope)));
        let pieces = pieces.collect::<Result<_, _>>()?;
        let mut tables: Vec<Table> = Vec::new();
        for row in query::look::<ColumnRow>(cx, project, &scoped(COLUMNS, scope))? {
            if tables.last().is_none_or(|last| last.name != row.table) {
                tables.push(Table { name: row.table.clone(), columns: Vec::new() });
            }
            tables.last_mut().expect("one was just added").columns.extend(Column::of(row));
        }
        Ok(Catalog { pieces, tables })
    }

    fn table(&self, name: &str) -> Option<&Table> {
        self.tables.iter().find(|table| table.name == name)
    }
}

/// `sql` with the condition on schemas inserted.
fn scoped(sql: &str, scope: &str) -> String {
    let (before, rest) = sql.split_once("{scope ").expect("each query is about schemas");
    let (column, after) = rest.split_once('}').expect("the column ends");
    format!("{before}{}{after}", scope.replace("{}", column))
}

impl Column {
    fn of(row: ColumnRow) -> Option<Column> {
        let ColumnRow { name, r#type, required, computed, preset, .. } = row;
        Some(Column { name: name?, r#type: r#type?, required: required?, computed, preset })
    }

    fn made(&self) -> String {
        let mut sql = format!("{} {}", self.name, self.r#type);
        if let Some(computed) = &self.computed {
            write!(sql, " {computed}").expect("a string takes it");
        }
        if let Some(preset) = &self.preset {
            write!(sql, " default {preset}").expect("a string takes it");
        }
        sql + if self.required { " not null" } else { "" }
    }
}

/// Statements, in the order in which they run.
#[derive(Default)]
struct Script(String);

impl Script {
    fn add(&mut self, statement: &str) {
        self.0.push_str(statement);
        self.0.push_str(";\n\n");
    }

    /// Drops pieces that are missing or different now, unless they are dropped with their table.
    fn gone(&mut self, kind: &Kind, old: &[Piece], new: &[Piece], now: &Catalog) {
        for piece in old.iter().rev() {
            let same = new.iter().find(|other| other.name == piece.name);
            let stays = match kind.change {
                Change::Anew => same.is_some_and(|other| other.made == piece.made),
                Change::Replaced | Change::Labelled | Change::Never => same.is_some(),
            };
            let goes_along = piece.table.as_ref().is_some_and(|table| now.table(table).is_none());
            if !stays && !goes_along {
                self.add(&piece.gone);
            }
        }
    }

    fn made(&mut self, kind: &Kind, old: &[Piece], new: &[Piece]) {
        for piece in new {
            match old.iter().find(|other| other.name == piece.name) {
                Some(same) if same.made == piece.made || kind.change == Change::Never => {}
                Some(same) if kind.change == Change::Labelled => self.labelled(same, piece),
                _ => self.add(&piece.made),
            }
        }
    }

    /// Labels that an enum lacks. Additional labels stay, because rows may use them.
    fn labelled(&mut self, old: &Piece, new: &Piece) {
        let labels = |piece: &Piece| -> Vec<String> {
            let list = piece.made.split_once("('").map_or("", |(_, rest)| rest.trim_end_matches("')"));
            list.split("', '").map(|label| format!("'{label}'")).collect()
        };
        let (had, mut last) = (labels(old), None::<String>);
        for label in labels(new) {
            if !had.contains(&label) {
                let place = match &last {
                    Some(last) => format!(" after {last}"),
                    None => had.first().map(|first| format!(" before {first}")).unwrap_or_default(),
                };
                self.add(&format!("alter type {} add value {label}{place}", new.name));
            }
            last = Some(label);
        }
    }

    fn tables_gone(&mut self, old: &Catalog, new: &Catalog) {
        for table in old.tables.iter().rev() {
            let Some(now) = new.table(&table.name) else {
                self.add(&format!("drop table {}", table.name));
                continue;
            };
            let is_gone = |column: &&Column| now.columns.iter().all(|other| other.name != column.name);
            for column in table.columns.iter().filter(is_gone) {
                self.add(&format!("alter table {} drop column {}", table.name, column.name));
            }
        }
    }

    fn tables_made(&mut self, old: &Catalog, new: &Catalog) {
        for table in &new.tables {
            let Some(before) = old.table(&table.name) else {
                let columns: Vec<String> = table.columns.iter().map(Column::made).collect();
                self.add(&format!("create table {} (\n    {}\n)", table.name, columns.join(",\n    ")));
                continue;
            };
            for column in &table.columns {
                match before.columns.iter().find(|other| other.name == column.name) {
                    None => self.add(&format!("alter table {} add column {}", table.name, column.made())),
                    Some(same) => self.column_changed(&table.name, same, column),
                }
            }
        }
    }

    fn column_changed(&mut self, table: &str, old: &Column, new: &Column) {
        if old.computed != new.computed {
            self.add(&format!("alter table {table} drop column {}", old.name));
            self.add(&format!("alter table {table} add column {}", new.made()));
            return;
        }
        let alter = format!("alter table {table} alter column {}", new.name);
        let is_retyped = old.r#type != new.r#type;
        if old.preset.is_some() && (old.preset != new.preset || is_retyped) {
            self.add(&format!("{alter} drop default"));
        }
        if is_retyped {
            self.add(&format!("{alter} type {} using {}::{}", new.r#type, new.name, new.r#type));
        }
        if let Some(preset) = new.preset.as_ref().filter(|_| old.preset != new.preset || is_retyped) {
            self.add(&format!("{alter} set default {preset}"));
        }
        match (old.required, new.required) {
            (false, true) => self.add(&format!("{alter} set not null")),
            (true, false) => self.add(&format!("{alter} drop not null")),
            (true, true) | (false, false) => {}
        }
    }
}
