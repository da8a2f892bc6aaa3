//! Changes that read other rows: merges, joined changes, changes within `WITH`, through views and in transactions.

use super::exprs::{Column, Scope};
use super::schema::Table;
use super::statements::{Maker, Statement, ordered, unordered};
use super::tape::Tape;
use super::types::Ty;

impl Maker<'_> {
    pub(super) fn change(&self, tape: &mut Tape<'_>) -> Vec<Statement> {
        match tape.below(6) {
            0 => vec![unordered(self.merge(tape))],
            1 => vec![unordered(self.joined(tape))],
            2 => vec![unordered(self.inserted_query(tape))],
            3 => vec![self.within(tape)],
            4 => self.through_view(tape),
            _ => vec![unordered(self.transaction(tape))],
        }
    }

    /// Each row of the table meets one row of the source at most, so the order of the rows changes nothing.
    fn merge(&self, tape: &mut Tape<'_>) -> String {
        let (table, other) = (self.table(tape), self.table(tape));
        let (rows, given) = (table.qualified("m"), other.qualified("s"));
        let both = Scope { columns: [rows.clone(), given.clone()].concat(), tables: Vec::new() };
        let given = Scope { columns: given, tables: Vec::new() };
        let mut text =
            format!("merge into {} m using {} s on m.id = s.id + {}", table.name, other.name, tape.below(3));
        for _ in 0..1 + tape.below(3) {
            let matched = !tape.once_in(3);
            let scope = if matched { &both } else { &given };
            let test = match tape.flip() {
                true => format!(" and {}", scope.expr(tape, Ty::Bool, 1)),
                false => String::new(),
            };
            let deed = match (matched, tape.below(4)) {
                (_, 3) => "do nothing".to_owned(),
                (true, 2) => "delete".to_owned(),
                (true, _) => format!("update set {}", self.set(tape, table, scope)),
                (false, _) => self.row_of(tape, table, scope),
            };
            text.push_str(&format!(" when {}matched{test} then {deed}", if matched { "" } else { "not " }));
        }
        text
    }

    fn set(&self, tape: &mut Tape<'_>, table: &Table, scope: &Scope) -> String {
        let column = &table.columns[1 + tape.below(table.plain - 1)];
        let value = match (tape.below(5), &column.text[..]) {
            (0, _) => "default".to_owned(),
            (1, _) | (_, "up") => "null".to_owned(),
            _ => scope.expr(tape, column.ty, 2),
        };
        format!("{} = {value}", column.text)
    }

    /// `INSERT` of a `MERGE`, with a key beside those that are there.
    fn row_of(&self, tape: &mut Tape<'_>, table: &Table, scope: &Scope) -> String {
        let column = &table.columns[1 + tape.below(table.plain - 1)];
        let value = if column.text == "up" { "null".to_owned() } else { scope.expr(tape, column.ty, 1) };
        format!("insert (id, {}) values (s.id + {}, {value})", column.text, 60 + 20 * tape.below(3))
    }

    /// `UPDATE … FROM` and `DELETE … USING`, where each row meets one other at most.
    fn joined(&self, tape: &mut Tape<'_>) -> String {
        let (table, other) = (self.table(tape), self.table(tape));
        let (rows, beside) = (table.qualified("a"), other.qualified("b"));
        let scope = Scope { columns: [rows, beside].concat(), tables: Vec::new() };
        let test = format!("a.id = b.id + {} and {}", tape.below(2), scope.expr(tape, Ty::Bool, 1));
        let ty = self.ty(tape);
        let returning = match tape.below(3) {
            0 => format!(" returning a.id, {} as x", scope.expr(tape, ty, 1)),
            1 => " returning *".to_owned(),
            _ => String::new(),
        };
        match tape.below(3) {
            0 => format!("delete from {} a using {} b where {test}{returning}", table.name, other.name),
            _ => format!(
                "update {} a set {} from {} b where {test}{returning}",
                table.name,
                self.set(tape, table, &scope),
                other.name
            ),
        }
    }

    fn inserted_query(&self, tape: &mut Tape<'_>) -> String {
        let (table, other) = (self.table(tape), self.table(tape));
        let column = &table.columns[1 + tape.below(table.plain - 1)];
        let scope = Scope { columns: other.qualified("b"), tables: Vec::new() };
        let value = if column.text == "up" { "null".to_owned() } else { scope.expr(tape, column.ty, 2) };
        let test = scope.expr(tape, Ty::Bool, 1);
        let conflict = tape.word(&["", " on conflict do nothing", " on conflict (id) do nothing"]);
        format!(
            "insert into {} (id, {}) select b.id + {}, {value} from {} b where {test} order by b.id{conflict} returning id",
            table.name,
            column.text,
            tape.word(&["0", "20", "100"]),
            other.name
        )
    }

    /// A change whose rows the rest of the statement reads.
    fn within(&self, tape: &mut Tape<'_>) -> Statement {
        let (table, other) = (self.table(tape), self.table(tape));
        let column = tape.pick(&table.columns);
        let change = match tape.below(3) {
            0 => self.insert_into(tape, table),
            1 => {
                let scope = Scope { columns: table.columns.clone(), tables: Vec::new() };
                let test = scope.expr(tape, Ty::Bool, 1);
                format!("update {} set {} where {test}", table.name, self.set(tape, table, &scope))
            }
            _ => format!("delete from {} where id > {}", table.name, 2 + tape.below(4)),
        };
        let changed = vec![
            Column { text: "w.id".to_owned(), ty: table.columns[0].ty },
            Column { text: "w.v".to_owned(), ty: column.ty },
        ];
        let (own, all) = (changed.clone(), [changed, other.qualified("b")].concat());
        let (own, all) =
            (Scope { columns: own, tables: self.asked() }, Scope { columns: all, tables: Vec::new() });
        let with = format!("with w as ({change} returning id, {} as v)", column.text);
        let ty = self.ty(tape);
        let rest = match tape.below(3) {
            0 => format!("select w.id, {} as x from w order by 1, 2", own.expr(tape, ty, 2)),
            1 => format!(
                "select b.id, w.id as k, {} as x from {} b left join w on w.id = b.id order by 1, 2, 3",
                all.expr(tape, ty, 1),
                other.name
            ),
            _ => format!(
                "select count(*) as n, count(w.v) as m, (select count(*) from {}) as k from w",
                other.name
            ),
        };
        ordered(format!("{with} {rest}"))
    }

    /// Only the key and one more column.
    fn insert_into(&self, tape: &mut Tape<'_>, table: &Table) -> String {
        let column = &table.columns[1 + tape.below(table.plain - 1)];
        let value = if column.text == "up" { "null".to_owned() } else { column.ty.value(tape) };
        format!("insert into {} (id, {}) values ({}, {value})", table.name, column.text, 100 + tape.below(50))
    }

    /// A view of some rows of a table, and changes through it.
    fn through_view(&self, tape: &mut Tape<'_>) -> Vec<Statement> {
        let table = self.table(tape);
        let name = format!("w{}", tape.below(1000));
        let scope = Scope { columns: table.columns.clone(), tables: Vec::new() };
        let test = scope.expr(tape, Ty::Bool, 1);
        let check = tape.word(&["", " with check option", " with local check option"]);
        let shown: Vec<Column> = table.columns[..1 + tape.below(table.plain)].to_vec();
        let names: Vec<&str> = shown.iter().map(|column| &*column.text).collect();
        let made = format!(
            "create view {name} as select {} from {} where {test}{check}",
            names.join(", "),
            table.name
        );
        let view = Table { name: name.clone(), plain: shown.len(), columns: shown, ..table.clone() };
        let mut statements = vec![unordered(made)];
        if view.plain > 1 {
            statements.extend((0..1 + tape.below(3)).map(|_| unordered(self.change_of(tape, &view))));
        }
        statements.push(ordered(format!("select * from {name} order by id")));
        statements
    }

    /// Changes in one text, some of which are undone.
    fn transaction(&self, tape: &mut Tape<'_>) -> String {
        let table = self.table(tape);
        let mut parts = vec!["begin".to_owned(), self.change_of(tape, table), "savepoint one".to_owned()];
        parts.extend((0..1 + tape.below(2)).map(|_| self.change_of(tape, table)));
        parts.push(tape.word(&["rollback to one", "release one", "rollback to savepoint one"]).to_owned());
        if tape.flip() {
            parts.push(self.change_of(tape, table));
        }
        parts.push(tape.word(&["commit", "commit", "rollback"]).to_owned());
        parts.push(format!("select * from {} order by id", table.name));
        parts.join("; ")
    }
}
