//! Tables and views.

use sqlparser::ast::{Expr, GroupByExpr, SelectItem, SetExpr, Statement, TableFactor};
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::Tokenizer;

use super::Generator;
use super::layout::{Lines, key, order, quoted};
use crate::catalog::{Column, Constraint, ConstraintKind, Identity, Oid, Relation, RelationKind};
use crate::source::with_parser;

impl Generator<'_> {
    pub(super) fn tables(&self, lines: &mut Lines, schema: Oid) -> usize {
        let tables = self.relations(schema, &[RelationKind::Table]);
        for table in &tables {
            lines.open(&format!("{}: ", key(&table.name)));
            lines.open("Row: ");
            self.row(lines, table);
            for (name, type_) in self.computed(table) {
                lines.union(&key(&name), &[type_, "null".to_owned()]);
            }
            lines.close("");
            self.written(lines, table, "Insert", is_optional);
            self.written(lines, table, "Update", |_| true);
            self.relationships(lines, table);
            lines.close("");
        }
        tables.len()
    }

    pub(super) fn views(&self, lines: &mut Lines, schema: Oid) -> usize {
        let views = self.relations(schema, &[RelationKind::View, RelationKind::MaterializedView]);
        for view in &views {
            lines.open(&format!("{}: ", key(&view.name)));
            lines.open("Row: ");
            self.row(lines, view);
            lines.close("");
            if let Some(updatable) = updatable_columns(view) {
                self.written_view(lines, view, "Insert", &updatable);
                self.written_view(lines, view, "Update", &updatable);
            }
            lines.line("Relationships: []");
            lines.close("");
        }
        views.len()
    }

    fn relations(&self, schema: Oid, kinds: &[RelationKind]) -> Vec<&Relation> {
        let of_schema = self.catalog.relations().filter(|relation| relation.schema == schema);
        let mut found: Vec<&Relation> =
            of_schema.filter(|relation| kinds.contains(&relation.shown_kind())).collect();
        found.sort_by_key(|relation| order(&relation.name));
        found
    }

    fn row(&self, lines: &mut Lines, relation: &Relation) {
        for column in sorted(relation) {
            lines.union(&key(&column.name), &self.column_type(column));
        }
    }

    /// The types of a column: its own, and null if the column can be null.
    fn column_type(&self, column: &Column) -> Vec<String> {
        let null = (!column.not_null).then(|| "null".to_owned());
        std::iter::once(self.type_(column.type_.base)).chain(null).collect()
    }

    fn written(&self, lines: &mut Lines, table: &Relation, title: &str, optional: impl Fn(&Column) -> bool) {
        lines.open(&format!("{title}: "));
        for column in sorted(table) {
            if column.identity == Some(Identity::Always) {
                lines.line(&format!("{}?: never", key(&column.name)));
                continue;
            }
            let mark = if optional(column) { "?" } else { "" };
            lines.union(&format!("{}{mark}", key(&column.name)), &self.column_type(column));
        }
        lines.close("");
    }

    fn written_view(&self, lines: &mut Lines, view: &Relation, title: &str, updatable: &[bool]) {
        lines.open(&format!("{title}: "));
        for column in sorted(view) {
            let place = view.columns.iter().position(|other| other.number == column.number);
            let name = format!("{}?", key(&column.name));
            match place.is_some_and(|place| updatable.get(place) == Some(&true)) {
                true => lines.union(&name, &[self.type_(column.type_.base), "null".to_owned()]),
                false => lines.line(&format!("{name}: never")),
            }
        }
        lines.close("");
    }

    fn relationships(&self, lines: &mut Lines, table: &Relation) {
        let mut keys: Vec<_> = table
            .constraints
            .iter()
            .filter(|constraint| constraint.parent.is_none())
            .filter_map(|constraint| match &constraint.kind {
                ConstraintKind::Foreign { table: target, columns, .. } => {
                    let target = self.catalog.relation(*target)?;
                    (target.schema == table.schema).then_some((constraint, target, columns))
                }
                _ => None,
            })
            .collect();
        if keys.is_empty() {
            return lines.line("Relationships: []");
        }
        keys.sort_by_key(|(constraint, ..)| order(&constraint.name));
        lines.line("Relationships: [");
        for (constraint, target, columns) in keys {
            relationship(lines, table, constraint, target, columns);
        }
        lines.line("]");
    }
}

fn relationship(
    lines: &mut Lines,
    table: &Relation,
    constraint: &Constraint,
    target: &Relation,
    columns: &[u32],
) {
    let names = |relation: &Relation, columns: &[u32]| -> Vec<String> {
        columns.iter().map(|number| quoted(relation.column_name(*number))).collect()
    };
    lines.nested(|lines| {
        lines.open("");
        lines.line(&format!("foreignKeyName: {}", quoted(&constraint.name)));
        lines.list("columns", &names(table, &constraint.columns), "");
        lines.line(&format!("isOneToOne: {}", is_unique(table, &constraint.columns)));
        lines.line(&format!("referencedRelation: {}", quoted(&target.name)));
        lines.list("referencedColumns", &names(target, columns), "");
        lines.close(",");
    });
}

/// Whether these columns are unique in the table.
fn is_unique(table: &Relation, columns: &[u32]) -> bool {
    table.constraints.iter().any(|constraint| {
        let is_key =
            matches!(constraint.kind, ConstraintKind::Primary { .. } | ConstraintKind::Unique { .. });
        is_key
            && constraint.columns.len() == columns.len()
            && constraint.columns.iter().all(|column| columns.contains(column))
    })
}

fn sorted(relation: &Relation) -> Vec<&Column> {
    let mut columns: Vec<&Column> = relation.columns.iter().collect();
    columns.sort_by_key(|column| order(&column.name));
    columns
}

fn is_optional(column: &Column) -> bool {
    !column.not_null || column.default.is_some() || column.identity.is_some() || column.generated.is_some()
}

/// The writable columns of a view; `None` if the view is not updatable.
fn updatable_columns(view: &Relation) -> Option<Vec<bool>> {
    let definition = view.definition.as_ref().filter(|_| view.kind == RelationKind::View)?;
    let tokens = Tokenizer::new(&PostgreSqlDialect {}, definition).tokenize_with_location().ok()?;
    let statements = with_parser(tokens, Parser::parse_statements).ok()?;
    let [Statement::Query(query)] = statements.as_slice() else { return None };
    let SetExpr::Select(select) = query.body.as_ref() else { return None };
    let plain_table = matches!(select.from.as_slice(), [from]
        if from.joins.is_empty() && matches!(from.relation, TableFactor::Table { args: None, .. }));
    let ungrouped = matches!(&select.group_by, GroupByExpr::Expressions(keys, _) if keys.is_empty())
        && select.having.is_none();
    let plain = query.with.is_none() && query.limit_clause.is_none() && query.fetch.is_none();
    if !plain_table || !ungrouped || !plain || select.distinct.is_some() {
        return None;
    }
    let mut columns = Vec::new();
    for item in &select.projection {
        match item {
            SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. } => {
                columns.push(matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_)));
            }
            _ => columns.resize(view.columns.len(), true),
        }
    }
    Some(columns)
}
