//! Triggers, views and policies as the catalog shows them.

use sqlparser::ast;

use super::query::{Names, OUT, Text, Texts, below};
use crate::bind::{Binder, Scope, Settings};
use crate::catalog::{Catalog, Relation, RelationKind, Rule, Trigger, quote_identifier, quote_literal};
use crate::error::SqlError;
use crate::pretty::pretty;
use crate::security::session::names_of_path;
use crate::source::Source;
use crate::types::Type;

/// Events in the order in which a trigger shows them.
const EVENTS: [&str; 4] = ["INSERT", "DELETE", "UPDATE", "TRUNCATE"];

impl Binder<'_> {
    /// The statement that makes a trigger; `plain`: without what people do not need.
    pub(crate) fn trigger_text(&mut self, relation: &Relation, trigger: &Trigger, plain: bool) -> String {
        let events = EVENTS.iter().filter(|event| trigger.events.iter().any(|known| known == *event));
        let columns = trigger.columns.iter().map(|column| quote_identifier(column)).collect::<Vec<_>>();
        let events = events.map(|event| match *event {
            "UPDATE" if !columns.is_empty() => format!("UPDATE OF {}", columns.join(", ")),
            event => event.to_owned(),
        });
        let events = events.collect::<Vec<_>>().join(" OR ");
        let (kind, name) =
            (if trigger.constraint { "CONSTRAINT " } else { "" }, quote_identifier(&trigger.name));
        let table = self.table_text(relation, plain);
        let mut text = format!("CREATE {kind}TRIGGER {name} {} {events} ON {table} ", trigger.timing);
        if trigger.constraint {
            let of = trigger.refers_to.and_then(|oid| self.catalog.relation(oid));
            text.push_str(&of.map_or_else(String::new, |of| format!("FROM {} ", self.table_text(of, plain))));
            let (not, when) = (
                if trigger.deferrable { "" } else { "NOT " },
                if trigger.deferred { "DEFERRED" } else { "IMMEDIATE" },
            );
            text.push_str(&format!("{not}DEFERRABLE INITIALLY {when} "));
        }
        let tables = [("OLD", &trigger.old_table), ("NEW", &trigger.new_table)];
        let tables = tables.into_iter().filter_map(|(which, name)| Some((which, name.as_ref()?)));
        let tables: String =
            tables.map(|(which, name)| format!("{which} TABLE AS {} ", quote_identifier(name))).collect();
        if !tables.is_empty() {
            text.push_str(&format!("REFERENCING {tables}"));
        }
        text.push_str(if trigger.for_each_row { "FOR EACH ROW " } else { "FOR EACH STATEMENT " });
        if let Some(condition) = self.trigger_condition(relation, trigger) {
            let condition = if plain { pretty(&condition) } else { condition };
            text.push_str(&format!("WHEN ({condition}) "));
        }
        format!("{text}{}", self.trigger_action(trigger))
    }

    /// `EXECUTE FUNCTION f('a')`
    pub(crate) fn trigger_action(&self, trigger: &Trigger) -> String {
        let known = self.catalog.routines().find(|(oid, _)| *oid == trigger.function);
        let function = match known {
            Some((_, routine)) if self.function_path().contains(&routine.schema) => {
                quote_identifier(&routine.name)
            }
            Some((_, routine)) => {
                let schema = self.catalog.schema_name(routine.schema);
                format!("{}.{}", quote_identifier(schema), quote_identifier(&routine.name))
            }
            None => crate::plpgsql::builtin_trigger_name(trigger.function).unwrap_or_default().to_owned(),
        };
        let arguments = trigger.arguments.iter().map(|argument| quote_literal(argument));
        format!("EXECUTE FUNCTION {function}({})", arguments.collect::<Vec<_>>().join(", "))
    }

    /// The condition of a trigger, with all brackets.
    pub(crate) fn trigger_condition(&mut self, relation: &Relation, trigger: &Trigger) -> Option<String> {
        Some(self.condition_of_rows(relation, trigger.condition.as_ref()?))
    }

    /// A condition on the rows before and after a change.
    fn condition_of_rows(&mut self, relation: &Relation, condition: &str) -> String {
        let shown = self.with_tables(condition, |binder| {
            let parsed = binder.source.expression()?;
            let scope = binder.scope_of_rule(relation)?;
            Ok(binder.shown(&scope, &parsed, Type::BOOL))
        });
        shown.unwrap_or_else(|| format!("({condition})"))
    }

    /// The statement that makes a rule; `plain`: without what people do not need.
    pub(crate) fn rule_text(&mut self, relation: &Relation, rule: &Rule, plain: bool) -> String {
        let (name, table) = (quote_identifier(&rule.name), self.table_text(relation, plain));
        let event = &rule.event;
        let condition = rule.condition.as_ref().map(|text| self.condition_of_rows(relation, text));
        let condition = condition.map(|text| if plain { pretty(&text) } else { text });
        let condition = condition.map_or_else(String::new, |text| format!("\n   WHERE {text}"));
        let commands: Vec<String> =
            rule.commands.iter().map(|command| self.command_text(relation, rule, command, plain)).collect();
        let commands = match &commands[..] {
            [] => " NOTHING".to_owned(),
            [only] if only.starts_with('\n') => only.clone(),
            [only] => format!(" {only}"),
            several => format!(" ({};\n)", several.join(";\n")),
        };
        let word = if rule.instead { " INSTEAD" } else { "" };
        format!("CREATE RULE {name} AS\n    ON {event} TO {table}{condition} DO{word}{commands};")
    }

    /// A command of a rule; as it was written, if it has what this module cannot show.
    fn command_text(&mut self, relation: &Relation, rule: &Rule, command: &str, plain: bool) -> String {
        let text = Text { plain, path: self.search_path() };
        let path = rule.path.as_deref().map(names_of_path);
        let shown = self.with_tables(command, |binder| {
            binder.path_inside = path.or(binder.path_inside.take());
            let scope = binder.scope_of_rule(relation)?;
            let statements = binder.source.statements()?;
            let [tokens] = &statements[..] else { return Ok(None) };
            Ok(binder.shown_change(&scope, tokens, (text, true)))
        });
        if let Some(channel) = notified(command) {
            return format!("\n NOTIFY {channel}");
        }
        format!(" {}", shown.map_or_else(|| command.to_owned(), |shown| shown.replace(OUT, "")))
    }

    /// The rows before and after a change.
    fn scope_of_rule<'s>(&mut self, relation: &Relation) -> Result<Scope<'s>, SqlError> {
        let mut scope = Scope::default();
        for alias in ["old", "new"] {
            let source = self.new_source();
            let mut table = self.table_of(relation, source, None)?;
            (table.alias, table.schema) = (alias.to_owned(), None);
            scope.tables.push(table);
        }
        Ok(scope)
    }

    /// The query of a view; as it was written, if it has what this module cannot show.
    pub(crate) fn view_text(&mut self, view: &Relation, plain: bool) -> Option<String> {
        let definition = view.definition.as_ref()?;
        let names: Vec<String> = view.columns.iter().map(|column| column.name.clone()).collect();
        let text = Text { plain, path: self.search_path() };
        let is_view = matches!(view.kind, RelationKind::View | RelationKind::MaterializedView);
        self.look_from(view);
        let shown = self.with_tables(definition, |binder| {
            let query = binder.source.query()?;
            binder.once.texts = Texts::of(text.clone());
            let shown = text.query(binder, &Scope::default(), &query, &Names::of(names, true));
            binder.once.texts = Texts::default();
            Ok(shown)
        });
        let shown = shown.filter(|_| is_view && view.partition.is_none());
        let shown = shown.map(|shown| shown.replace(OUT, ""));
        Some(format!("{};", shown.unwrap_or_else(|| format!(" {definition}"))))
    }

    /// The condition of a policy, as stored unless this module can show its queries.
    pub(crate) fn policy_text(&mut self, relation: &Relation, condition: &str) -> String {
        let how = Text { plain: false, path: self.search_path() };
        let shown = self.stored_in(relation, condition, |binder| {
            let parsed = binder.source.expression()?;
            let source = binder.new_source();
            let scope = Scope::of(binder.table_of(relation, source, None)?);
            binder.once.texts = Texts::of(how);
            let shown = binder.shown(&scope, &parsed, Type::BOOL);
            binder.once.texts = Texts::default();
            Ok(shown)
        });
        shown.ok().flatten().unwrap_or_else(|| condition.to_owned())
    }

    /// A query within an expression of a view or a policy, in its brackets.
    pub(super) fn shown_subquery(&mut self, scope: &Scope<'_>, query: &ast::Query) -> Option<String> {
        let how = self.once.texts.how.clone()?;
        let names = self.subquery(scope, query).ok()?.columns.into_iter().map(|column| column.name).collect();
        let within = std::mem::replace(&mut self.once.qualified, true);
        let taken = self.once.texts.taken.len();
        if !within {
            self.once.texts.taken.extend(scope.tables.iter().map(|table| table.alias.clone()));
        }
        let shown = how.query(self, scope, query, &Names { visible: false, ..Names::of(names, false) });
        self.once.texts.taken.truncate(taken);
        self.once.qualified = within;
        let shown = shown?;
        Some(format!("({})", if within { below(&shown) } else { shown.replace(OUT, "") }))
    }

    /// Binds a stored text whose columns are shown with their tables.
    fn with_tables(
        &mut self,
        text: &str,
        show: impl FnOnce(&mut Self) -> Result<Option<String>, SqlError>,
    ) -> Option<String> {
        let outer = std::mem::replace(&mut self.once.qualified, true);
        let shown = self.stored(text, show);
        self.once.qualified = outer;
        shown.ok().flatten()
    }

    fn table_text(&self, relation: &Relation, plain: bool) -> String {
        let name = quote_identifier(&relation.name);
        match plain && self.search_path().contains(&relation.schema) {
            true => name,
            false => format!("{}.{name}", quote_identifier(self.catalog.schema_name(relation.schema))),
        }
    }
}

/// What stands after `NOTIFY`.
fn notified(command: &str) -> Option<&str> {
    let (word, rest) = command.split_once(char::is_whitespace)?;
    word.eq_ignore_ascii_case("notify").then_some(rest)
}

/// The texts of views and triggers where no statement is at hand that asks for them.
pub(crate) fn showing<T>(
    catalog: &Catalog,
    settings: &Settings,
    show: impl FnOnce(&mut Binder<'_>) -> T,
) -> T {
    let catalog = super::names_seen(catalog, settings);
    let mut binder = Binder::new(&catalog, std::rc::Rc::new(Source::stored("")), settings, &[]);
    binder.runs_nothing();
    show(&mut binder)
}
