//! Changes of rows through views: which views are updatable, the table under a view, and `WITH CHECK OPTION`.

use std::rc::Rc;

use sqlparser::ast::{self, GroupByExpr, SelectItem, SetExpr, TableFactor};

use crate::bind::scope::{Scope, Table, TableColumn};
use crate::bind::{Binder, Clause};
use crate::catalog::{Catalog, Relation, RelationKind};
use crate::dml::Modifier;
use crate::error::{Result, SqlError, SqlState};
use crate::print::{self, Names};
use crate::run::Engine;
use crate::security::policy::both;
use crate::source::{self, Source, name};
use crate::tree::{Expr, Field};
use crate::types::Modified;

/// What begins the name of a table's column that a view does not show. No statement can name it.
const HIDDEN: char = '\u{1}';

/// A view through which rows of a table change.
pub(crate) struct Through {
    /// The table, with the view's names and privileges.
    pub(crate) table: Relation,
    /// The partition that the statement names.
    pub(crate) partition: Option<crate::catalog::Oid>,
    /// The conditions of the view and of the views below it, the outermost first.
    filters: Vec<Filter>,
    /// The columns of the view that are no columns of the table.
    computed: Vec<String>,
    /// The columns of the table for which the view itself has a default.
    defaults: Vec<u32>,
    /// How the view shows the rows of the table.
    level: Rc<Level>,
    owner: Rc<str>,
    /// The partition whose policies are in force, under its own names, and with whose rights if not with those of the role.
    pub(crate) secured: Option<(Relation, Option<Rc<str>>)>,
    view: String,
    command: &'static str,
}

/// The condition of a view.
struct Filter {
    view: String,
    definition: String,
    /// What the view reads, with its names, and how that shows the table if it is a view.
    below: Relation,
    lower: Option<Rc<Level>>,
    checked: bool,
    partition: bool,
}

/// One of the views between a statement and the table whose rows it changes.
struct Level {
    definition: String,
    /// What the view reads, with its names, and how that shows the table if it is a view.
    below: Relation,
    lower: Option<Rc<Level>>,
    /// The names of the view's columns, each with the number of the table's column that it is.
    columns: Vec<(String, Option<u32>)>,
}

/// Whether a statement may name a column.
pub(crate) fn is_shown(name: &str) -> bool {
    !name.starts_with(HIDDEN)
}

impl Engine<'_> {
    /// The table under a view, and how the view shows it. Fails if PostgreSQL would not find one either.
    pub(crate) fn through(
        &self,
        view: &Relation,
        command: &'static str,
        columns: &Columns,
    ) -> Result<Through> {
        let (letter, refuse) = refusal(view, command);
        let definition = view.definition.clone().unwrap_or_default();
        let query = Source::stored(&definition).query()?;
        let select = simple_select(&query).map_err(&refuse)?;
        let [table] = &select.from[..] else { return Err(refuse(SINGLE)) };
        let TableFactor::Table { name: object, args: None, .. } = &table.relation else {
            return Err(refuse(SINGLE));
        };
        if !table.joins.is_empty() {
            return Err(refuse(SINGLE));
        }
        let below = self.plain_binder().find_relation(object).map_err(|_| refuse(SINGLE))?;
        let owner: Rc<str> =
            if view.is_invokers() { self.settings.role.clone() } else { view.owner.as_str().into() };
        let columns = columns.below(view, &select.projection);
        if !columns.allow(&self.catalog, (&owner, letter), below) {
            return Err(below.denied());
        }
        let lower = match below.kind {
            RelationKind::Table => None,
            RelationKind::View => Some(self.through(below, command, &columns)?),
            RelationKind::Foreign => return Err(self.catalog.unreachable(below)),
            _ => return Err(refuse(SINGLE)),
        };
        let outer = owner.clone();
        let owner = lower.as_ref().map_or(owner, |lower| lower.owner.clone());
        let (below, mut filters, secured, lower) = match lower {
            Some(lower) => (lower.table, lower.filters, lower.secured, Some(lower.level)),
            None => (below.clone(), Vec::new(), None, None),
        };
        let option = view.options.iter().find_map(|option| option.strip_prefix("check_option="));
        let option = option.map(|option| option.trim_matches('\''));
        if option == Some("cascaded") {
            filters.iter_mut().for_each(|filter| filter.checked = true);
        }
        let (table, columns) = shown_table(view, &below, lower.as_deref(), &select.projection);
        let computed = columns.iter().filter(|(_, number)| number.is_none());
        let computed = computed.map(|(name, _)| name.clone()).collect();
        let own = view.columns.iter().zip(&columns).filter(|(column, _)| column.default.is_some());
        let defaults = own.filter_map(|(_, (_, number))| *number).collect();
        if select.selection.is_some() {
            let filter = Filter {
                view: view.name.clone(),
                definition: definition.clone(),
                below: below.clone(),
                lower: lower.clone(),
                checked: option.is_some(),
                partition: view.partition.is_some(),
            };
            filters.insert(0, filter);
        }
        let level = Rc::new(Level { definition, below, lower, columns });
        let partition = view.partition.as_ref().map(|_| view.oid);
        let secured = match (partition, secured) {
            (Some(oid), _) => Some((secured_as(oid, view, &table), None)),
            (None, Some((below, actor))) => Some((below, actor.or(Some(outer)))),
            (None, None) => None,
        };
        Ok(Through {
            table,
            partition,
            filters,
            computed,
            defaults,
            level,
            owner,
            secured,
            view: view.name.clone(),
            command,
        })
    }
}

/// The columns of a relation that a statement gives values.
pub(crate) enum Columns {
    /// The statement is about whole rows.
    Whole,
    Named(Vec<String>),
}

impl Columns {
    /// Those of an `INSERT` or an `UPDATE`; a `DELETE` is about whole rows.
    pub(crate) fn of(statement: &ast::Statement, view: &Relation) -> Columns {
        let first = |object: &ast::ObjectName| source::parts(object).first().map(|ident| name(ident));
        match statement {
            ast::Statement::Insert(insert) if !insert.columns.is_empty() => {
                Columns::Named(insert.columns.iter().filter_map(first).collect())
            }
            ast::Statement::Insert(insert) => {
                let count = match insert.source.as_ref().map(|source| &*source.body) {
                    None => 0,
                    Some(SetExpr::Values(values)) => values.rows.first().map_or(0, |row| row.content.len()),
                    Some(_) => view.columns.len(),
                };
                Columns::Named(view.columns.iter().take(count).map(|column| column.name.clone()).collect())
            }
            ast::Statement::Update(update) => {
                let targets = update.assignments.iter().flat_map(|assignment| match &assignment.target {
                    ast::AssignmentTarget::ColumnName(name) => vec![name],
                    ast::AssignmentTarget::Tuple(names) => names.iter().collect(),
                });
                Columns::Named(targets.filter_map(first).collect())
            }
            _ => Columns::Whole,
        }
    }

    /// The columns that a view shows under these names.
    fn below(&self, view: &Relation, projection: &[SelectItem]) -> Columns {
        let Columns::Named(names) = self else { return Columns::Whole };
        let shown = |name: &String| {
            let at = view.columns.iter().position(|column| column.name == *name)?;
            projection.get(at).and_then(column_of)
        };
        Columns::Named(names.iter().filter_map(shown).collect())
    }

    /// Whether a role has a privilege on all of them.
    fn allow(&self, catalog: &Catalog, (role, letter): (&str, char), relation: &Relation) -> bool {
        let allowed = |number: u32| catalog.allows_column(role, relation, number, letter);
        match self {
            _ if catalog.allows_relation(role, relation, letter) => true,
            Columns::Whole => false,
            Columns::Named(names) if names.is_empty() => {
                relation.columns.iter().any(|column| allowed(column.number))
            }
            Columns::Named(names) => {
                names.iter().all(|name| relation.column(name).is_some_and(|column| allowed(column.number)))
            }
        }
    }
}

/// The table that has the rows of a partition, with the partition's policies.
fn secured_as(oid: crate::catalog::Oid, partition: &Relation, table: &Relation) -> Relation {
    Relation {
        oid,
        policies: partition.policies.clone(),
        row_security: partition.row_security,
        force_row_security: partition.force_row_security,
        ..table.clone()
    }
}

/// The changes that a relation allows, as `pg_relation_is_updatable` numbers them.
pub(crate) const UPDATE: u8 = 4;
pub(crate) const INSERT: u8 = 8;
pub(crate) const DELETE: u8 = 16;
const ALL: u8 = UPDATE | INSERT | DELETE;

/// The changes that a relation allows, by the catalog alone; with `triggers` also those by triggers `INSTEAD OF` them. With a column
/// only those that are allowed for it.
pub(crate) fn changes(catalog: &Catalog, relation: &Relation, triggers: bool, column: Option<&str>) -> u8 {
    if relation.shown_kind() != RelationKind::View {
        return if relation.shown_kind() == RelationKind::Table { ALL } else { 0 };
    }
    let rules = relation
        .rules
        .iter()
        .filter(|rule| rule.instead && rule.condition.is_none())
        .map(|rule| rule.event.as_str());
    let instead = relation.triggers.iter().filter(|trigger| triggers && trigger.timing == "INSTEAD OF");
    let instead = instead.flat_map(|trigger| &trigger.events).map(String::as_str);
    let made = rules.chain(instead).fold(0, |made, event| {
        made | match event {
            "UPDATE" => UPDATE,
            "INSERT" => INSERT,
            "DELETE" => DELETE,
            _ => 0,
        }
    });
    made | changes_below(catalog, relation, triggers, column).unwrap_or(0)
}

/// The changes that a view hands on to the one relation that it reads.
fn changes_below(catalog: &Catalog, view: &Relation, triggers: bool, column: Option<&str>) -> Option<u8> {
    let query = view.definition.as_deref().and_then(|text| Source::stored(text).query().ok())?;
    let select = simple_select(&query).ok()?;
    let [ast::TableWithJoins { relation: TableFactor::Table { name: object, args: None, .. }, joins }] =
        &select.from[..]
    else {
        return None;
    };
    let (_, called) = source::schema_and_name(object).ok().filter(|_| joins.is_empty())?;
    let read = view.reads.iter().filter_map(|oid| catalog.relation(*oid)).find(|read| read.name == called)?;
    let shown = select.projection.iter().zip(&view.columns);
    let below: Vec<String> = shown
        .filter(|(_, shown)| column.is_none_or(|column| column == shown.name))
        .filter_map(|(target, _)| column_of(target).filter(|name| read.column(name).is_some()))
        .collect();
    let base = |column: Option<&str>| changes(catalog, read, triggers, column);
    Some(match &below[..] {
        [] => DELETE & base(None),
        below => below.iter().fold(0, |all, column| all | base(Some(column))),
    })
}

/// Whether rows can be updated and deleted through a view, by the catalog alone.
pub(crate) fn is_updatable(catalog: &Catalog, view: &Relation) -> bool {
    changes(catalog, view, false, None) & (UPDATE | DELETE) == UPDATE | DELETE
}

/// Whether rows can be inserted through a view, by the catalog alone.
pub(crate) fn is_insertable(catalog: &Catalog, view: &Relation) -> bool {
    changes(catalog, view, false, None) & INSERT != 0
}

impl Through {
    /// The error for a column that a statement can't assign to.
    pub(crate) fn refuse_column(&self, column: &str) -> Option<SqlError> {
        if !self.computed.iter().any(|known| known == column) {
            return None;
        }
        let verb = if self.command == "INSERT" { "insert into" } else { "update" };
        let message = format!("cannot {verb} column \"{column}\" of view \"{}\"", self.view);
        let detail = "View columns that are not columns of their base relation are not updatable.";
        Some(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message).detail(detail))
    }

    /// The names of the view's columns.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.level.columns.iter().map(|(name, _)| name.as_str())
    }

    /// The number of the table's column that the view shows under a name.
    pub(crate) fn number(&self, name: &str) -> Option<u32> {
        self.level.columns.iter().find(|(known, _)| known == name)?.1
    }

    fn unreadable(&self, column: &str) -> SqlError {
        SqlError::unsupported(format!("reading the computed column {column} of a view whose rows change"))
    }

    /// The error of a statement that reads a computed column.
    pub(crate) fn explained(&self, error: SqlError) -> SqlError {
        let named = self.computed.iter().find(|column| error.message.contains(column.as_str()));
        match named.filter(|_| error.code == SqlState::UNDEFINED_COLUMN) {
            Some(column) => self.unreadable(column),
            None => error,
        }
    }

    /// Whether new rows must satisfy the condition of a view, or else of a partition.
    fn checks(&self, partition: bool) -> bool {
        self.filters.iter().any(|filter| filter.checked && filter.partition == partition)
    }

    /// Whether an update can set a column to its default. Through a view that has none for it, the default is null.
    pub(crate) fn updates_to_default(&self, column: u32) -> bool {
        self.partition.is_some() || self.defaults.contains(&column)
    }
}

impl<'m> Modifier<'m> {
    /// Whether new rows must belong to a partition.
    pub(crate) fn is_of_partition(&self) -> bool {
        self.through.is_some_and(|through| through.checks(true))
    }

    /// Whether new rows must satisfy the conditions of views.
    pub(crate) fn has_check_options(&self) -> bool {
        self.through.is_some_and(|through| through.checks(false))
    }

    /// The query that refuses a stored row, whose number is its parameter, if a view would not show it. Constraints and unique
    /// keys are asked before.
    pub(crate) fn check_of_views(&mut self, relation: &Relation) -> Result<Option<String>> {
        if !self.has_check_options() {
            return Ok(None);
        }
        let relation = self.stored_table(relation);
        let source = self.binder.new_source();
        let check = self.check_options(relation, source, Names::default(), false, "1".to_owned())?;
        let table = relation.physical();
        Ok(Some(format!("SELECT {check} FROM {table} AS s{source} WHERE s{source}.rowid = ?1")))
    }

    /// The table or the partition whose policies are in force for the rows that change.
    pub(crate) fn secured<'r>(&self, stored: &'r Relation) -> &'r Relation
    where
        'm: 'r,
    {
        self.through.and_then(|through| through.secured.as_ref()).map_or(stored, |(secured, _)| secured)
    }

    /// Runs `bind` with the rights with which policies ask for rows.
    pub(crate) fn as_secured<T>(&mut self, bind: impl FnOnce(&mut Self) -> T) -> T {
        match self.through.and_then(|through| through.secured.as_ref()) {
            None => self.as_owner(bind),
            Some((_, None)) => bind(self),
            Some((_, Some(actor))) => {
                let actor = std::mem::replace(&mut self.binder.actor, actor.clone());
                let result = bind(self);
                self.binder.actor = actor;
                result
            }
        }
    }

    /// Runs `bind` with the rights of the owner of the view through which rows change.
    pub(crate) fn as_owner<T>(&mut self, bind: impl FnOnce(&mut Self) -> T) -> T {
        let Some(through) = self.through else { return bind(self) };
        let actor = std::mem::replace(&mut self.binder.actor, through.owner.clone());
        let result = bind(self);
        self.binder.actor = actor;
        result
    }

    /// Binds a part of a view's query, for which the role needs no right on what it reads.
    fn as_view<T>(&mut self, bind: impl FnOnce(&mut Self) -> T) -> T {
        let readable = std::mem::take(&mut self.binder.readable);
        let bound = self.as_owner(bind);
        self.binder.readable = readable;
        bound
    }

    /// `condition`, and that the views show the row.
    pub(crate) fn in_views(&mut self, source: usize, condition: Option<Expr>) -> Result<Option<Expr>> {
        let Some(through) = self.through else { return Ok(condition) };
        let mut all = condition;
        for filter in &through.filters {
            all = Some(both(self.filter(filter, source)?, all));
        }
        Ok(all)
    }

    /// `value` where a new row satisfies the checked views, or belongs to the `partition`; otherwise the refusal of the row. The
    /// innermost view is asked first.
    pub(crate) fn check_options(
        &mut self,
        relation: &Relation,
        source: usize,
        names: Names<'_>,
        partition: bool,
        value: String,
    ) -> Result<String> {
        let Some(through) = self.through else { return Ok(value) };
        let mut sql = value;
        for filter in through.filters.iter().filter(|filter| filter.checked && filter.partition == partition)
        {
            let condition = print::expression(&self.filter(filter, source)?, names);
            let (code, message) = match filter.partition {
                true => (
                    "23514",
                    format!("new row for relation \"{}\" violates partition constraint", filter.view),
                ),
                false => ("44000", format!("new row violates check option for view \"{}\"", filter.view)),
            };
            let row = self.failing_row(relation, source, names)?;
            sql = format!(
                "CASE WHEN {condition} THEN {sql} ELSE pg_raise('{code}', {}, {row}) END",
                print::text_literal(&message)
            );
        }
        Ok(sql)
    }

    /// The columns of the view through which rows change.
    pub(crate) fn columns_of_view(&mut self, through: &Through, source: usize) -> Result<Vec<TableColumn>> {
        self.columns_of_level(&through.level, source)
    }

    fn columns_of_level(&mut self, level: &Level, source: usize) -> Result<Vec<TableColumn>> {
        let table = self.table_below(&level.below, level.lower.as_deref(), source)?;
        let mut columns = Vec::new();
        for (index, (name, number)) in level.columns.iter().enumerate() {
            let known = number.and_then(|number| level.below.column_number(number));
            let (type_, computed) = match known {
                Some(column) => (column.type_, None),
                None => match self.computed(level, index, table.clone()) {
                    Ok(expr) => {
                        (Modified { base: expr.type_, modifier: expr.modifier }, Some(Box::new(expr)))
                    }
                    // It is refused where a statement names it.
                    Err(_) => continue,
                },
            };
            let field = Field::Column(number.unwrap_or_default());
            columns.push(TableColumn { name: name.clone(), type_, field, hidden: false, computed });
        }
        Ok(columns)
    }

    /// What a view reads, with the columns that statements can name.
    fn table_below(&mut self, below: &Relation, lower: Option<&Level>, source: usize) -> Result<Table> {
        let mut table = shown(self.binder.table_of(below, source, None)?);
        if let Some(lower) = lower {
            table.columns = self.columns_of_level(lower, source)?;
        }
        Ok(table)
    }

    /// A column that a view computes. What it reads is asked for where a statement names it.
    fn computed(&mut self, level: &Level, index: usize, table: Table) -> Result<Expr> {
        let bound = self.as_view(|modifier| {
            modifier.binder.stored(&level.definition, |binder| {
                let query = binder.source.query()?;
                let select = simple_select(&query).map_err(|_| SqlError::unsupported("this view"))?;
                let items = select.projection.get(index..=index).unwrap_or_default();
                let scope = Scope::of(named_by_view(select, table));
                binder.targets_in(Clause::Target, &scope, items)
            })
        });
        bound?.0.pop().ok_or_else(|| SqlError::unsupported("this view"))
    }

    fn filter(&mut self, filter: &Filter, source: usize) -> Result<Expr> {
        let table = self.table_below(&filter.below, filter.lower.as_deref(), source)?;
        self.as_view(|modifier| {
            modifier.binder.stored(&filter.definition, |binder| {
                let query = binder.source.query()?;
                condition(binder, &query, table)
            })
        })
    }
}

fn condition(binder: &mut Binder<'_>, query: &ast::Query, table: Table) -> Result<Expr> {
    let select = simple_select(query).map_err(|_| SqlError::unsupported("this view"))?;
    let selection = select.selection.as_ref().ok_or_else(|| SqlError::unsupported("this view"))?;
    binder.condition_in(Clause::Where, &Scope::of(named_by_view(select, table)), selection)
}

/// What a view reads, under the name that it has there.
fn named_by_view(select: &ast::Select, mut table: Table) -> Table {
    if let Some(TableFactor::Table { alias: Some(alias), .. }) =
        select.from.first().map(|from| &from.relation)
    {
        table.alias = name(&alias.name);
        table.schema = None;
    }
    table
}

/// A table without the columns that no statement can name.
pub(crate) fn shown(mut table: Table) -> Table {
    table.columns.retain(|column| is_shown(&column.name));
    table
}

/// The table `below` with the names, the privileges and the defaults of a view. Also the view's columns, each with the number of
/// the table's column that it is; of a column that the view shows twice the table has the first name.
fn shown_table(
    view: &Relation,
    below: &Relation,
    lower: Option<&Level>,
    targets: &[SelectItem],
) -> (Relation, Vec<(String, Option<u32>)>) {
    let mut table = below.clone();
    table.name.clone_from(&view.name);
    (table.kind, table.schema) = (RelationKind::View, view.schema);
    (table.owner, table.acl) = (view.owner.clone(), view.acl.clone());
    for column in &mut table.columns {
        column.name.insert(0, HIDDEN);
    }
    let number_below = |name: String| match lower {
        Some(lower) => lower.columns.iter().find(|(known, _)| *known == name)?.1,
        None => below.column(&name).map(|column| column.number),
    };
    let (mut columns, mut order) = (Vec::new(), Vec::new());
    for (target, column) in targets.iter().zip(&view.columns) {
        let number = column_of(target).and_then(number_below);
        columns.push((column.name.clone(), number));
        let found = table.columns.iter_mut().find(|known| Some(known.number) == number);
        let Some(known) = found.filter(|known| !order.contains(&known.number)) else { continue };
        order.push(known.number);
        known.name.clone_from(&column.name);
        known.acl = column.acl.clone();
        if column.default.is_some() || view.partition.is_some() {
            known.default.clone_from(&column.default);
        }
        if view.partition.is_some() {
            (known.identity, known.sequence) = (None, None);
        }
    }
    // A partition has names of its own for the keys.
    if view.partition.is_some() {
        for constraint in &mut table.constraints {
            if let Some(part) = view.constraints.iter().find(|part| part.parent == Some(constraint.oid)) {
                (constraint.oid, constraint.name) = (part.oid, part.name.clone());
            }
        }
    }
    // The view's order is that of values without a list of columns.
    table
        .columns
        .sort_by_key(|column| order.iter().position(|number| *number == column.number).unwrap_or(usize::MAX));
    (table, columns)
}

/// The column that a target is.
fn column_of(target: &SelectItem) -> Option<String> {
    let (SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, .. }) = target else {
        return None;
    };
    match expr {
        ast::Expr::Identifier(ident) => Some(name(ident)),
        ast::Expr::CompoundIdentifier(idents) => idents.last().map(name),
        _ => None,
    }
}

/// A text of SQL in which a query in brackets is only its brackets: its calls are not those of the query around it.
fn without_subqueries(text: &str) -> String {
    let (mut out, mut depth, mut quote) = (String::new(), 0_usize, None);
    for (at, letter) in text.char_indices() {
        match (letter, quote) {
            ('\'' | '"', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            ('(', None) if depth > 0 || text[at + 1..].trim_start().starts_with("select ") => depth += 1,
            (')', None) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            out.push(letter);
        }
    }
    out
}

const SINGLE: &str = "Views that do not select from a single table or view are not automatically updatable.";

/// The query of a view that may be updatable, or why it is not.
fn simple_select(query: &ast::Query) -> std::result::Result<&ast::Select, &'static str> {
    let select = match &*query.body {
        SetExpr::Select(select) => select,
        SetExpr::Query(inner) if query.with.is_none() && query.limit_clause.is_none() => {
            return simple_select(inner);
        }
        SetExpr::SetOperation { .. } => {
            return Err("Views containing UNION, INTERSECT, or EXCEPT are not automatically updatable.");
        }
        _ => return Err(SINGLE),
    };
    if select.distinct.is_some() {
        return Err("Views containing DISTINCT are not automatically updatable.");
    }
    let grouped = match &select.group_by {
        GroupByExpr::Expressions(keys, _) => !keys.is_empty(),
        GroupByExpr::All(_) => true,
    };
    if grouped {
        return Err("Views containing GROUP BY are not automatically updatable.");
    }
    if select.from.iter().any(is_sampled) {
        return Err("Views containing TABLESAMPLE are not automatically updatable.");
    }
    if select.having.is_some() {
        return Err("Views containing HAVING are not automatically updatable.");
    }
    if query.with.is_some() {
        return Err("Views containing WITH are not automatically updatable.");
    }
    if query.limit_clause.is_some() || query.fetch.is_some() {
        return Err("Views containing LIMIT or OFFSET are not automatically updatable.");
    }
    let called = |word: &str| {
        select.projection.iter().any(|target| {
            let text = without_subqueries(&target.to_string().to_lowercase());
            text.match_indices(word)
                .any(|(at, _)| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        })
    };
    if called("over (") || called("over(") || !select.named_window.is_empty() && called("over ") {
        return Err("Views that return window functions are not automatically updatable.");
    }
    if [
        "count(",
        "sum(",
        "min(",
        "max(",
        "avg(",
        "array_agg(",
        "string_agg(",
        "json_agg(",
        "jsonb_agg(",
        "bool_or(",
        "bool_and(",
    ]
    .iter()
    .any(|word| called(word))
    {
        return Err("Views that return aggregate functions are not automatically updatable.");
    }
    if called("unnest(") || called("generate_series(") {
        return Err("Views that return set-returning functions are not automatically updatable.");
    }
    Ok(select)
}

/// Whether a source of rows is a sample of a table.
fn is_sampled(from: &ast::TableWithJoins) -> bool {
    matches!(from.relation, ast::TableFactor::Table { sample: Some(_), .. })
}

/// The privilege that a command needs, and the refusal of a view for a reason.
fn refusal(view: &Relation, command: &str) -> (char, impl Fn(&'static str) -> SqlError) {
    let (letter, verb, gerund, event) = match command {
        "INSERT" => ('a', "insert into", "inserting into", "INSERT"),
        "UPDATE" => ('w', "update", "updating", "UPDATE"),
        _ => ('d', "delete from", "deleting from", "DELETE"),
    };
    let view = view.name.clone();
    let refuse = move |reason: &'static str| {
        SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, format!("cannot {verb} view \"{view}\"")).detail(reason).hint(
            format!(
                "To enable {gerund} the view, provide an INSTEAD OF {event} trigger or an unconditional ON {event} DO INSTEAD rule."
            ),
        )
    };
    (letter, refuse)
}

/// The relation that a statement changes, and its command.
pub(crate) fn target_and_command(statement: &ast::Statement) -> Option<(&ast::ObjectName, &'static str)> {
    let command = match statement {
        ast::Statement::Insert(_) => "INSERT",
        ast::Statement::Update(_) => "UPDATE",
        _ => "DELETE",
    };
    let name = crate::dml::target_of(statement)?;
    source::schema_and_name(name).ok()?;
    Some((name, command))
}
