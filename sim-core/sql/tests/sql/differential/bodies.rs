//! Bodies of procedural code.

use super::exprs::{Column, Scope};
use super::schema::Table;
use super::statements::Maker;
use super::tape::Tape;
use super::types::Ty;

/// What a body returns.
#[derive(Clone, Copy)]
pub(super) enum Result<'t> {
    Nothing,
    Trigger,
    One(Ty),
    Many(Ty),
    /// Rows of the columns `o0` and `o1`.
    Rows(Ty, Ty),
    Table(&'t Table),
}

/// What the statements of a body can name and do.
#[derive(Clone)]
pub(super) struct Body<'t> {
    maker: &'t Maker<'t>,
    pub(super) scope: Scope,
    /// What can be assigned.
    pub(super) own: Vec<Column>,
    result: Result<'t>,
    writes: bool,
    loops: usize,
}

impl<'t> Body<'t> {
    pub(super) fn new(
        maker: &'t Maker<'t>,
        parameters: &[Column],
        result: Result<'t>,
        writes: bool,
    ) -> Body<'t> {
        let mut columns = parameters.to_vec();
        columns.push(Column { text: "found".to_owned(), ty: Ty::Bool });
        let mut own = parameters.to_vec();
        if let Result::Rows(a, b) = result {
            own.push(Column { text: "o0".to_owned(), ty: a });
            own.push(Column { text: "o1".to_owned(), ty: b });
        }
        let scope = Scope { columns, tables: maker.asked() };
        Body { maker, scope, own, result, writes, loops: 0 }
    }

    pub(super) fn text(self, tape: &mut Tape<'_>) -> String {
        self.around(tape, |inner| inner)
    }

    /// The whole text: variables, and statements with what the caller adds.
    pub(super) fn around(mut self, tape: &mut Tape<'_>, add: impl Fn(String) -> String) -> String {
        let mut variables = vec![
            Column { text: "v0".to_owned(), ty: Ty::Int },
            Column { text: "v1".to_owned(), ty: Ty::Text },
        ];
        variables.extend(
            (2..2 + tape.below(3)).map(|at| Column { text: format!("v{at}"), ty: self.maker.ty(tape) }),
        );
        let mut declared = String::from("declare r record; w0 int; w1 int;");
        for each in &variables {
            let value = match tape.flip() {
                true => format!(" := {}", self.scope.expr(tape, each.ty, 1)),
                false => String::new(),
            };
            declared.push_str(&format!(" {} {}{value};", each.text, each.ty.name()));
        }
        self.scope.columns.extend(variables.clone());
        self.own.extend(variables);
        let inner = self.statements(tape, 3);
        let last = match self.result {
            Result::One(ty) if !tape.once_in(10) => format!("\nreturn {};", self.scope.expr(tape, ty, 2)),
            _ => String::new(),
        };
        format!("{declared}\nbegin\n{}{last}\nend", add(inner))
    }

    fn statements(&self, tape: &mut Tape<'_>, depth: usize) -> String {
        let made: Vec<String> = (0..1 + tape.below(3)).map(|_| self.statement(tape, depth)).collect();
        made.join("\n")
    }

    fn statement(&self, tape: &mut Tape<'_>, depth: usize) -> String {
        match tape.below(if depth == 0 { 11 } else { 20 }) {
            0 | 1 => self.assigned(tape),
            2 => self.selected(tape),
            3 => self.left(tape),
            4 => self.raised(tape),
            5 | 6 if self.writes => self.changed(tape),
            5 => "v0 := 10 / v0;".to_owned(),
            6 => self.executed(tape),
            7..=9 => self.returned(tape),
            10 => "get diagnostics v0 = row_count;".to_owned(),
            11 | 12 => self.either(tape, depth - 1),
            13 => self.cases(tape, depth - 1),
            14..=17 => self.repeated(tape, depth - 1),
            _ => self.caught(tape, depth - 1),
        }
    }

    fn test(&self, tape: &mut Tape<'_>) -> String {
        self.scope.expr(tape, Ty::Bool, 1)
    }

    fn assigned(&self, tape: &mut Tape<'_>) -> String {
        let target = tape.pick(&self.own);
        format!("{} := {};", target.text, self.scope.expr(tape, target.ty, 2))
    }

    fn either(&self, tape: &mut Tape<'_>, depth: usize) -> String {
        let mut text = format!("if {} then\n{}", self.test(tape), self.statements(tape, depth));
        if tape.flip() {
            text += &format!("\nelsif {} then\n{}", self.test(tape), self.statements(tape, depth));
        }
        if tape.flip() {
            text += &format!("\nelse\n{}", self.statements(tape, depth));
        }
        text + "\nend if;"
    }

    fn cases(&self, tape: &mut Tape<'_>, depth: usize) -> String {
        let ty = *tape.pick(&[Ty::Int, Ty::Text, Ty::Bool, Ty::Mood, Ty::Num]);
        let plain = tape.flip();
        let tested = if plain { self.scope.expr(tape, ty, 1) } else { String::new() };
        let mut text = format!("case {tested}");
        for _ in 0..1 + tape.below(2) {
            let when =
                if plain { format!("{}, {}", ty.literal(tape), ty.literal(tape)) } else { self.test(tape) };
            text += &format!("\nwhen {when} then\n{}", self.statements(tape, depth));
        }
        // Without a case that fits, and without ELSE, it fails.
        if !tape.once_in(4) {
            text += &format!("\nelse\n{}", self.statements(tape, depth));
        }
        text + "\nend case;"
    }

    fn repeated(&self, tape: &mut Tape<'_>, depth: usize) -> String {
        if self.loops == 2 {
            return self.assigned(tape);
        }
        let mut inner = Body { loops: self.loops + 1, ..self.clone() };
        let counter = format!("w{}", self.loops);
        match tape.below(5) {
            0 => {
                let range = match tape.below(4) {
                    0 => format!("1..least({}, 3)", self.scope.expr(tape, Ty::Int, 1)),
                    1 => "reverse 5..1 by 2".to_owned(),
                    2 => "-1..1".to_owned(),
                    _ => "1..3".to_owned(),
                };
                inner.scope.columns.push(Column { text: "i".to_owned(), ty: Ty::Int });
                format!("for i in {range} loop\n{}\nend loop;", inner.statements(tape, depth))
            }
            // The loop's variable is one for the whole body.
            1 | 2 if self.loops == 0 && !self.scope.tables.is_empty() => {
                let table = self.maker.table(tape);
                let columns = &table.columns;
                let limit = tape.word(&["", " limit 3", " desc limit 4"]);
                inner.scope.columns.extend(table.qualified("r"));
                let names: Vec<&str> = columns.iter().map(|column| &column.text[..]).collect();
                let statements = inner.statements(tape, depth);
                let query = format!("select {} from {} order by id{limit}", names.join(", "), table.name);
                match tape.once_in(4) {
                    true => format!("for r in execute '{query}' loop\n{statements}\nend loop;"),
                    false => format!("for r in {query} loop\n{statements}\nend loop;"),
                }
            }
            1 => {
                let array = self.scope.expr(tape, Ty::Ints, 1);
                format!(
                    "foreach {counter} in array {array} loop\n{}\nend loop;",
                    inner.statements(tape, depth)
                )
            }
            _ => {
                let (test, statements) = (self.test(tape), inner.statements(tape, depth));
                format!(
                    "{counter} := 0;\nwhile {counter} < 3 and coalesce({test}, true) loop\n{counter} := {counter} + 1;\n{statements}\nend loop;"
                )
            }
        }
    }

    fn left(&self, tape: &mut Tape<'_>) -> String {
        match self.loops {
            0 => self.assigned(tape),
            _ => format!("{} when {};", tape.word(&["exit", "continue"]), self.test(tape)),
        }
    }

    fn selected(&self, tape: &mut Tape<'_>) -> String {
        if self.scope.tables.is_empty() {
            return self.assigned(tape);
        }
        let table = self.maker.table(tape);
        let target = tape.pick(&self.own);
        let both = [table.qualified("a"), self.scope.columns.clone()].concat();
        let scope = Scope { columns: both, tables: Vec::new() };
        let (value, test) = (scope.expr(tape, target.ty, 1), scope.expr(tape, Ty::Bool, 1));
        let strict = if tape.once_in(5) { "strict " } else { "" };
        format!(
            "select {value} into {strict}{} from {} a where {test} order by a.id limit 1;",
            target.text, table.name
        )
    }

    fn executed(&self, tape: &mut Tape<'_>) -> String {
        if self.scope.tables.is_empty() {
            return self.assigned(tape);
        }
        let (table, value) = (self.maker.table(tape), self.scope.expr(tape, Ty::Int, 1));
        format!(
            "execute format('select count(*) from %I where id > $1', '{}') into v0 using {value};",
            table.name
        )
    }

    fn changed(&self, tape: &mut Tape<'_>) -> String {
        let table = self.maker.table(tape);
        let column = &table.columns[1 + tape.below(table.plain - 1)];
        let (name, target) = (&table.name, &column.text);
        let (key, value) = (self.scope.expr(tape, Ty::Int, 1), self.scope.expr(tape, column.ty, 1));
        let into = if tape.once_in(3) { " returning id into v0" } else { "" };
        match tape.below(5) {
            0 => format!("insert into {name} (id, {target}) values (20 + abs({key} % 10), {value}){into};"),
            1 => format!("insert into {name} (id, {target}) values ({key}, {value}) on conflict do nothing;"),
            2 => format!("update {name} set {target} = {value} where id = {key}{into};"),
            3 => format!("update {name} set {target} = {value};"),
            _ => format!("delete from {name} where id = {key}{into};"),
        }
    }

    fn raised(&self, tape: &mut Tape<'_>) -> String {
        let what = match tape.below(5) {
            0 => format!("exception 'bad %', {}", self.scope.expr(tape, Ty::Text, 1)),
            1 => "exception using errcode = 'P1234', message = 'made up'".to_owned(),
            2 => "division_by_zero".to_owned(),
            3 => "unique_violation using hint = 'none'".to_owned(),
            _ => "notice 'seen %', v0".to_owned(),
        };
        format!("if {} then raise {what}; end if;", self.test(tape))
    }

    fn caught(&self, tape: &mut Tape<'_>, depth: usize) -> String {
        let mut text = format!("begin\n{}", self.statements(tape, depth));
        if tape.flip() {
            text += "\nv0 := 10 / v0;";
        }
        text += "\nexception";
        if tape.flip() {
            let named =
                tape.word(&["division_by_zero", "unique_violation or raise_exception", "sqlstate 'P1234'"]);
            text += &format!(" when {named} then\n{}\n", self.statements(tape, depth));
        }
        let seen = tape.word(&["v1 := sqlstate;", "v1 := sqlerrm;", "null;", "raise;"]);
        text + &format!(" when others then\n{seen}\n{}\nend;", self.statements(tape, depth))
    }

    fn returned(&self, tape: &mut Tape<'_>) -> String {
        let value = |tape: &mut Tape<'_>, ty| self.scope.expr(tape, ty, 1);
        match self.result {
            Result::Nothing if tape.once_in(4) => format!("if {} then return; end if;", self.test(tape)),
            Result::Nothing | Result::Trigger => self.assigned(tape),
            Result::One(ty) => format!("if {} then return {}; end if;", self.test(tape), value(tape, ty)),
            Result::Many(ty) if tape.flip() => format!("return next {};", value(tape, ty)),
            Result::Many(ty) => self.query(tape, &[ty]),
            Result::Rows(..) if tape.flip() => "return next;".to_owned(),
            Result::Rows(a, b) => self.query(tape, &[a, b]),
            Result::Table(table) if self.loops == 0 || tape.flip() => {
                format!("return query select * from {} a where {};", table.name, self.test(tape))
            }
            Result::Table(table) => {
                format!(
                    "select * into r from {} where id = {} order by id limit 1; return next r;",
                    table.name,
                    value(tape, Ty::Int)
                )
            }
        }
    }

    fn query(&self, tape: &mut Tape<'_>, types: &[Ty]) -> String {
        let table = self.maker.table(tape);
        let columns = [table.qualified("a"), self.scope.columns.clone()].concat();
        let scope = Scope { columns, tables: Vec::new() };
        let values: Vec<String> = types.iter().map(|ty| scope.expr(tape, *ty, 1)).collect();
        let test = scope.expr(tape, Ty::Bool, 1);
        format!("return query select {} from {} a where {test};", values.join(", "), table.name)
    }
}
