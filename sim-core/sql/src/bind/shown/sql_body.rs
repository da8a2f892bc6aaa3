//! Bodies of functions in SQL's own form, as the catalog shows them.

use sqlparser::ast::SetExpr;
use sqlparser::parser::Parser;

use super::query::{Names, OUT, Text, Texts};
use crate::bind::scope::{Table, TableColumn};
use crate::bind::{Binder, Scope};
use crate::catalog::Routine;
use crate::security::session::names_of_path;
use crate::source::is_word;
use crate::tree::Field;

impl Binder<'_> {
    /// `RETURN …` or `BEGIN ATOMIC … END`; `None` for a body that is a text.
    pub(crate) fn sql_body_text(&mut self, routine: &Routine) -> Option<String> {
        let settled = routine.settled.as_ref()?;
        let text = Text { plain: false, path: self.search_path() };
        let source = self.new_source();
        let columns = routine.inputs().zip(1..).filter_map(|(input, number)| {
            let name = input.name.clone()?;
            Some(TableColumn {
                name,
                type_: input.type_.plain(),
                field: Field::Column(number),
                hidden: false,
                computed: None,
            })
        });
        let table = Table {
            alias: routine.name.clone(),
            schema: None,
            source,
            columns: columns.collect(),
            relation: None,
            returned: None,
            scalar: false,
            reachable: true,
        };
        let scope = Scope::of(table);
        let path = names_of_path(&settled.path);
        let shown = self.stored(&routine.body, |binder| {
            binder.path_inside = Some(path);
            let statements = binder.source.statements()?;
            let mut lines = Vec::new();
            for tokens in &statements {
                let written = binder.source.text_of(tokens);
                let query =
                    ["select", "values", "table", "with"].iter().any(|word| is_word(&tokens[0], word));
                if !query {
                    let shown = binder.shown_change(&scope, tokens, (text.clone(), false));
                    let shown = shown.map(|shown| shown.replace(OUT, "").replace('\n', "\n "));
                    lines.push(format!(" {}", shown.unwrap_or(written)));
                    continue;
                }
                let query = binder.source.parse(tokens, Parser::parse_query)?;
                if settled.returned {
                    let SetExpr::Select(select) = &*query.body else { continue };
                    let value = select.projection.first().and_then(|item| match item {
                        sqlparser::ast::SelectItem::UnnamedExpr(expr) => Some(expr.clone()),
                        _ => None,
                    });
                    let shown = value.and_then(|value| binder.shown(&scope, &value, routine.returns));
                    let plain = || written.get(7..).unwrap_or("").to_owned();
                    return Ok(format!("RETURN {}", on_one_line(&shown.unwrap_or_else(plain))));
                }
                let outer = std::mem::replace(&mut binder.once.qualified, has_sources(&query.body));
                let names = match &*query.body {
                    SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) => Vec::new(),
                    _ => binder
                        .subquery(&scope, &query)?
                        .columns
                        .into_iter()
                        .map(|column| column.name)
                        .collect(),
                };
                let names = Names { visible: false, ..Names::of(names, true) };
                binder.once.texts = Texts::of(text.clone());
                let shown = text.query(binder, &scope, &query, &names);
                binder.once.texts = Texts::default();
                binder.once.qualified = outer;
                let shown = shown.map(|shown| shown.replace(OUT, "").replace('\n', "\n "));
                lines.push(shown.unwrap_or_else(|| format!(" {written}")));
            }
            let lines: String = lines.into_iter().map(|line| format!("{line};\n")).collect();
            Ok(format!("BEGIN ATOMIC\n{lines}END"))
        });
        Some(shown.unwrap_or_else(|_| match settled.returned {
            true => format!("RETURN {}", routine.body.get(7..).unwrap_or("")),
            false => format!("BEGIN ATOMIC\n {}\nEND", routine.body.trim()),
        }))
    }
}

/// Whether a query has sources, so that the parameters are shown with the function's name.
fn has_sources(body: &SetExpr) -> bool {
    match body {
        SetExpr::Select(select) => !select.from.is_empty(),
        SetExpr::Query(query) => has_sources(&query.body),
        SetExpr::SetOperation { .. } | SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) => true,
        _ => false,
    }
}

fn on_one_line(shown: &str) -> String {
    shown.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
