//! Functions, procedures, triggers and policies over the generated tables. What uses them follows at once.

use super::bodies::{Body, Result};
use super::exprs::{Column, Scope};
use super::schema::Table;
use super::statements::{Maker, Statement, ordered, unordered};
use super::tape::Tape;
use super::types::Ty;

/// A role stays when its schema goes.
const VISITOR: &str = "do $$ begin create role visitor; exception when duplicate_object then null; end $$";

impl Maker<'_> {
    pub(super) fn program(&self, tape: &mut Tape<'_>) -> Vec<Statement> {
        match tape.below(10) {
            0..=3 => self.function(tape),
            4 => self.block(tape),
            5 => self.procedure(tape),
            6 | 7 => self.trigger(tape),
            _ => self.policies(tape),
        }
    }

    /// Parameters and their declaration.
    fn parameters(&self, tape: &mut Tape<'_>) -> (Vec<Column>, Vec<String>) {
        let parameters: Vec<Column> =
            (0..tape.below(4)).map(|index| Column { text: format!("p{index}"), ty: self.ty(tape) }).collect();
        let declared = parameters.iter().map(|each| {
            let default = if tape.once_in(6) { " default null" } else { "" };
            format!("{} {}{default}", each.text, each.ty.name())
        });
        // A default needs one in each parameter after it.
        let mut declared: Vec<String> = declared.collect();
        for index in 1..declared.len() {
            if declared[index - 1].ends_with("null") && !declared[index].ends_with("null") {
                declared[index].push_str(" default null");
            }
        }
        (parameters, declared)
    }

    /// The type of a column of the tables.
    pub(super) fn ty(&self, tape: &mut Tape<'_>) -> Ty {
        let table = self.table(tape);
        tape.pick(&table.columns).ty
    }

    fn function(&self, tape: &mut Tape<'_>) -> Vec<Statement> {
        let name = format!("f{}", tape.below(1000));
        let (parameters, declared) = self.parameters(tape);
        let (ty, other) = (self.ty(tape), self.ty(tape));
        let table = self.table(tape);
        let (result, returns) = match tape.below(6) {
            0..=2 => (Result::One(ty), ty.name().to_owned()),
            3 => (Result::Many(ty), format!("setof {}", ty.name())),
            4 => (Result::Rows(ty, other), format!("table (o0 {}, o1 {})", ty.name(), other.name())),
            _ => (Result::Table(table), format!("setof {}", table.name)),
        };
        let writes = tape.once_in(3);
        let kind = if writes { "" } else { tape.word(&["", " stable", " strict", ""]) };
        let body = Body::new(self, &parameters, result, writes).text(tape);
        let made = format!(
            "create or replace function {name}({}) returns {returns} language plpgsql{kind} as $f$\n{body}\n$f$",
            declared.join(", ")
        );
        let mut statements = vec![unordered(made)];
        statements.extend((0..1 + tape.below(2)).map(|_| self.call(tape, &name, &parameters, writes)));
        statements
    }

    /// How often and in which order the rows of a table meet a function is left to the plan, so one that writes
    /// meets none.
    fn call(&self, tape: &mut Tape<'_>, name: &str, parameters: &[Column], writes: bool) -> Statement {
        let table = self.table(tape);
        let rows = Scope { columns: table.qualified("a"), tables: Vec::new() };
        let call = |tape: &mut Tape<'_>, scope: &Scope| {
            let arguments: Vec<String> = parameters.iter().map(|each| scope.expr(tape, each.ty, 1)).collect();
            format!("{name}({})", arguments.join(", "))
        };
        let alone = call(tape, &Scope::default());
        match tape.below(if writes { 3 } else { 6 }) {
            0 => unordered(format!("select * from {alone}")),
            1 => unordered(format!("select {alone} as x")),
            2 => unordered(format!("select x, pg_typeof(x) as y from {alone} as x")),
            3 => ordered(format!(
                "select a.id, {} as x from {} a order by a.id",
                call(tape, &rows),
                table.name
            )),
            4 => unordered(format!(
                "select a.id from {} a where {} is not null",
                table.name,
                call(tape, &rows)
            )),
            _ => {
                unordered(format!("select a.id, x from {} a, lateral {} as x", table.name, call(tape, &rows)))
            }
        }
    }

    fn block(&self, tape: &mut Tape<'_>) -> Vec<Statement> {
        let body = Body::new(self, &[], Result::Nothing, true).text(tape);
        vec![unordered(format!("do $f$\n{body}\n$f$"))]
    }

    fn procedure(&self, tape: &mut Tape<'_>) -> Vec<Statement> {
        let name = format!("r{}", tape.below(1000));
        let (parameters, mut declared) = self.parameters(tape);
        for each in &mut declared {
            let mode = tape.word(&["", "in ", "inout "]);
            each.insert_str(0, mode);
        }
        let body = Body::new(self, &parameters, Result::Nothing, true).text(tape);
        let values: Vec<String> =
            parameters.iter().map(|each| Scope::default().expr(tape, each.ty, 1)).collect();
        vec![
            unordered(format!(
                "create or replace procedure {name}({}) language plpgsql as $f$\n{body}\n$f$",
                declared.join(", ")
            )),
            unordered(format!("call {name}({})", values.join(", "))),
        ]
    }

    fn trigger(&self, tape: &mut Tape<'_>) -> Vec<Statement> {
        let table = self.table(tape);
        let number = tape.below(1000);
        let log = format!("log{number}");
        let each_row = !tape.once_in(3);
        let before = tape.flip();
        let events =
            tape.word(&["insert", "update", "delete", "insert or update", "insert or update or delete"]);
        let column = &table.columns[tape.below(table.plain)].text;
        let events = match tape.once_in(4) && events.contains("update") {
            true => events.replace("update", &format!("update of {column}")),
            false => events.to_owned(),
        };
        let transition = match &events[..] {
            "insert" if !before && tape.flip() => " referencing new table as fresh",
            "update" if !before && tape.flip() => " referencing old table as gone new table as fresh",
            "delete" if !before && tape.flip() => " referencing old table as gone",
            _ => "",
        };
        let level = if each_row { "row" } else { "statement" };
        let when = match tape.once_in(3) {
            true => format!(" when ({})", conditions(table, &events, each_row).expr(tape, Ty::Bool, 1)),
            false => String::new(),
        };
        let body = self.trigger_body(tape, table, &log, &events, (before, each_row), transition);
        let timing = if before { "before" } else { "after" };
        let mut made = vec![
            unordered(format!("create table {log} (op text, level text, was text, became text)")),
            unordered(format!(
                "create or replace function g{number}() returns trigger language plpgsql as $f$\n{body}\n$f$"
            )),
            unordered(format!(
                "create trigger g{number} {timing} {events} on {}{transition} for each {level}{when} execute function g{number}('x')",
                table.name
            )),
        ];
        made.extend((0..2 + tape.below(3)).map(|_| unordered(self.change_of(tape, table))));
        made.push(ordered(format!("select * from {log} order by op, level, was, became")));
        made
    }

    /// A trigger sees the rows of its statement in any order, so its body reads no tables for a row.
    fn trigger_body(
        &self,
        tape: &mut Tape<'_>,
        table: &Table,
        log: &str,
        events: &str,
        (before, each_row): (bool, bool),
        transition: &str,
    ) -> String {
        let mut body = Body::new(self, &[], Result::Trigger, false);
        let given = conditions(table, events, each_row);
        body.scope.columns.extend(given.columns);
        for name in ["tg_op", "tg_level", "tg_when", "tg_argv[0]"] {
            body.scope.columns.push(Column { text: name.to_owned(), ty: Ty::Text });
        }
        if each_row {
            body.scope.tables.clear();
        }
        if each_row && before && !events.contains("delete") {
            let columns = table.columns[1..table.plain].iter().filter(|column| column.text != "up");
            body.own
                .extend(columns.map(|column| Column { text: format!("new.{}", column.text), ty: column.ty }));
        }
        let (was, became) = match (each_row, transition) {
            (true, _) => (tape.word(&["old::text", "to_jsonb(old)::text"]), "row_to_json(new)::text"),
            (_, "") => ("tg_table_name", "null"),
            _ if transition.contains("fresh") => {
                ("tg_name", "(select string_agg(fresh::text, ',' order by id) from fresh)")
            }
            _ => ("tg_name", "(select json_agg(gone order by id)::text from gone)"),
        };
        let audit = format!("insert into {log} values (tg_op, tg_level, {was}, {became});");
        let last = match events {
            "delete" => tape.word(&["return old;", "return null;", "return new;"]),
            "insert" | "update" => tape.word(&["return new;", "return new;", "return null;"]),
            _ => tape.word(&["return coalesce(new, old);", "return new;", "return null;"]),
        };
        body.around(tape, |inner| format!("{inner}\n{audit}\n{last}"))
    }

    /// A change of one table.
    pub(super) fn change_of(&self, tape: &mut Tape<'_>, table: &Table) -> String {
        let alone = Maker { tables: std::slice::from_ref(table) };
        match tape.below(4) {
            0 => alone.insert(tape),
            1 | 2 => alone.update(tape),
            _ => alone.delete(tape),
        }
    }

    fn policies(&self, tape: &mut Tape<'_>) -> Vec<Statement> {
        let table = self.table(tape);
        let name = &table.name;
        let number = tape.below(1000);
        let column = &tape.pick(&table.columns).text;
        let grant = match tape.below(8) {
            0 => format!("grant select, update ({column}), delete on {name} to visitor"),
            1 => format!("grant select (id, {column}), insert on {name} to visitor"),
            _ => "grant all on all tables in schema public to visitor".to_owned(),
        };
        let mut made = vec![
            unordered(VISITOR.to_owned()),
            unordered("grant usage on schema public to visitor".to_owned()),
            unordered("grant all on all sequences in schema public to visitor".to_owned()),
            unordered(grant),
            unordered(format!("alter table {name} enable row level security")),
        ];
        made.extend((0..1 + tape.below(3)).map(|index| unordered(self.policy(tape, table, number + index))));
        for _ in 0..2 + tape.below(3) {
            let role = tape.word(&["visitor", "visitor", "visitor", "postgres"]);
            let change = self.change_of(tape, table);
            made.push(ordered(format!("set local role {role}; {change}; select * from {name} order by id")));
        }
        let Statement { text, ordered: sorted } = self.select(tape);
        made.push(Statement { text: format!("set local role visitor; {text}"), ordered: sorted });
        made
    }

    fn policy(&self, tape: &mut Tape<'_>, table: &Table, number: usize) -> String {
        let tables = if tape.once_in(4) { self.asked() } else { Vec::new() };
        let scope = Scope { columns: table.columns.clone(), tables };
        let kind = tape.word(&["", "", " as restrictive"]);
        let command = tape.word(&["all", "select", "insert", "update", "delete"]);
        let role = tape.word(&["visitor", "public"]);
        let mut rules = String::new();
        if command != "insert" {
            rules.push_str(&format!(" using ({})", scope.expr(tape, Ty::Bool, 2)));
        }
        if command == "insert" || (["all", "update"].contains(&command) && tape.flip()) {
            rules.push_str(&format!(" with check ({})", scope.expr(tape, Ty::Bool, 2)));
        }
        format!("create policy l{number} on {}{kind} for {command} to {role}{rules}", table.name)
    }
}

/// The rows that a trigger for these events can name in its condition.
fn conditions(table: &Table, events: &str, each_row: bool) -> Scope {
    let mut columns = Vec::new();
    if each_row && !events.contains("insert") {
        columns.extend(table.qualified("old"));
    }
    // Before an event, generated columns have no values.
    if each_row && !events.contains("delete") {
        columns.extend(table.qualified("new").into_iter().take(table.plain));
    }
    Scope { columns, tables: Vec::new() }
}
