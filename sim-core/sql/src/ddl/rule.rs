//! Rules: what a change of a relation does instead, or besides.

use std::cell::RefCell;
use std::rc::Rc;

use sqlparser::ast;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::cursor::Cursor;
use super::texts::name_of;
use crate::bind::scope::Table;
use crate::bind::{Binder, Clause, Scope};
use crate::catalog::{Catalog, Oid, Relation, RelationKind, Rule, quote_identifier};
use crate::dml::{Bound, Stripped, without_overriding};
use crate::error::{Result, SqlError, SqlState};
use crate::plpgsql::expanded;
use crate::run::{Done, Engine};
use crate::source::{Source, is_word};
use crate::tree::Output;
use crate::types::{Modified, Type};

/// The rows that a rule of an event has.
pub(super) fn rows_of_rule(event: &str) -> &'static [&'static str] {
    match event.to_ascii_lowercase().as_str() {
        "insert" => &["new"],
        "delete" => &["old"],
        _ => &["old", "new"],
    }
}

/// Where a command returns rows.
#[derive(Clone, Copy)]
enum Returns {
    Instead,
    UnderCondition,
    Besides,
    /// After another command that does.
    Again,
}

impl Returns {
    fn require(self) -> Result<()> {
        let message = match self {
            Returns::Instead => return Ok(()),
            Returns::UnderCondition => "RETURNING lists are not supported in conditional rules",
            Returns::Besides => "RETURNING lists are not supported in non-INSTEAD rules",
            Returns::Again => "cannot have multiple RETURNING lists in a rule",
        };
        Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message))
    }
}

/// Refuses a list after `RETURNING` that is no row of the relation.
fn require_row(catalog: &Catalog, relation: &Relation, list: &[Output]) -> Result<()> {
    let invalid = |message: String| SqlError::new(SqlState::new("42P17"), message);
    for (at, entry) in list.iter().enumerate() {
        let Some(column) = relation.columns.get(at) else {
            return Err(invalid("RETURNING list has too many entries".to_owned()));
        };
        let given = match entry.type_.base {
            Type::UNKNOWN => Type::TEXT.plain(),
            _ => entry.type_,
        };
        let sizes = [given.modifier, column.type_.modifier];
        let what = match () {
            () if given.base != column.type_.base => "type",
            () if sizes[0] != sizes[1] && sizes.iter().all(|size| *size >= 0) => "size",
            () => continue,
        };
        let message =
            format!("RETURNING list's entry {} has different {what} from column \"{}\"", at + 1, column.name);
        let modifier = |type_: Modified| if what == "size" { type_.modifier } else { -1 };
        let shown = [given, column.type_].map(|type_| catalog.type_name(type_.base, modifier(type_)));
        return Err(invalid(message).detail(format!(
            "RETURNING list entry has type {}, but column has type {}.",
            shown[0], shown[1]
        )));
    }
    match list.len() < relation.columns.len() {
        true => Err(invalid("RETURNING list has too few entries".to_owned())),
        false => Ok(()),
    }
}

fn scope_of_rows<'s>(binder: &mut Binder<'_>, relation: &Relation, rows: &[&str]) -> Result<Scope<'s>> {
    let mut scope = Scope::default();
    for row in rows {
        let table = Table { alias: (*row).to_owned(), schema: None, ..binder.row_of(relation)? };
        scope.join(Scope::of(table))?;
    }
    Ok(scope)
}

impl Engine<'_> {
    pub(super) fn create_rule(&mut self, cursor: &mut Cursor<'_>, replace: bool) -> Result<Done> {
        let name = cursor.ident()?;
        cursor.expect_word("as")?;
        cursor.expect_word("on")?;
        let events = ["select", "insert", "update", "delete"];
        let Some(event) = events.into_iter().find(|event| cursor.word(event)) else {
            return Err(cursor.unexpected());
        };
        cursor.expect_word("to")?;
        let (schema, table) = cursor.name()?;
        let relation = self.find(schema.as_deref(), &table)?.clone();
        self.require_relation_owner(relation.oid)?;
        if event == "select" {
            return Err(SqlError::unsupported("a rule ON SELECT"));
        }
        let condition = match cursor.word("where") {
            true => {
                let condition = cursor.expr()?;
                self.check_rule_condition(&relation, event, &condition.expr)?;
                Some(condition.text)
            }
            false => None,
        };
        cursor.expect_word("do")?;
        let instead = cursor.word("instead");
        if !instead {
            cursor.word("also");
        }
        let returns = match (&condition, instead) {
            (Some(_), _) => Returns::UnderCondition,
            (None, false) => Returns::Besides,
            (None, true) => Returns::Instead,
        };
        let (commands, returning) = self.commands(cursor, &relation, (event, returns))?;
        cursor.finish()?;
        if relation.kind == RelationKind::View && (condition.is_some() || !instead && !commands.is_empty()) {
            return Err(SqlError::unsupported("a rule of a view with a condition, or besides the change"));
        }
        if !matches!(relation.kind, RelationKind::Table | RelationKind::View) {
            let message = format!("relation \"{}\" cannot have rules", relation.name);
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
        }
        if relation.rules.iter().any(|rule| rule.name == name) && !replace {
            let message = format!("rule \"{name}\" for relation \"{}\" already exists", relation.name);
            return Err(SqlError::new(SqlState::DUPLICATE_OBJECT, message));
        }
        let known = relation.rules.iter().find(|rule| rule.name == name);
        let (comment, enabled) = known.map_or((None, 'O'), |rule| (rule.comment.clone(), rule.enabled));
        let oid = known.map(|rule| rule.oid);
        let oid = oid.unwrap_or_else(|| self.new_oid());
        let schemas = self.settings.search_path.iter().map(|schema| quote_identifier(schema));
        let path = Some(schemas.collect::<Vec<_>>().join(", ")).filter(|path| !path.is_empty());
        let event = event.to_uppercase();
        let rule = Rule { oid, name, event, instead, comment, condition, commands, returning, path, enabled };
        let mut with = relation.clone();
        with.rules.retain(|known| known.name != rule.name);
        with.rules.push(rule.clone());
        if rule.runs() {
            crate::plpgsql::whole_body_of(&rule.routine(&with)).map_err(SqlError::nowhere)?;
        }
        if with.joined_rules(&rule).iter().any(|known| known.path != rule.path) {
            let what = "rules of the same change that were created with different search paths";
            return Err(SqlError::unsupported(what));
        }
        let rules = &mut self.relation_mut(relation.oid).rules;
        rules.retain(|known| known.name != rule.name);
        rules.push(rule);
        Ok(Done::command("CREATE RULE"))
    }

    /// Refuses a condition that can't be one on a row of the relation.
    fn check_rule_condition(&self, relation: &Relation, event: &str, condition: &ast::Expr) -> Result<()> {
        let mut binder = self.binder();
        let scope = scope_of_rows(&mut binder, relation, rows_of_rule(event))?;
        binder.condition_in(Clause::Where, &scope, condition).map(drop)
    }

    /// Binds a stored condition on rows of a relation.
    pub(super) fn bind_of_rows(&self, relation: &Relation, rows: &[&str], text: &str) -> Result<()> {
        self.binder().stored(text, |binder| {
            let parsed = binder.source.expression()?;
            let scope = scope_of_rows(binder, relation, rows)?;
            binder.condition_in(Clause::Where, &scope, &parsed).map(drop)
        })
    }

    /// Binds a command of a rule. Returns the columns that it gives.
    pub(super) fn bind_command(
        &mut self,
        relation: &Relation,
        source: Rc<Source>,
        tokens: &[TokenWithSpan],
    ) -> Result<Option<Vec<Output>>> {
        let frame = self.frame_of_rows(relation);
        let Stripped { tokens, overriding, conflict } =
            without_overriding(&source, &expanded(tokens, &frame));
        let statement = source.parse(&tokens, Parser::parse_statement)?;
        let source = std::mem::replace(&mut self.source, source);
        let outer = self.frame.replace(Rc::new(RefCell::new(frame)));
        let bound = self.with_variables(|engine| {
            engine.bind_modification(&statement, (overriding, false), Vec::new(), conflict.clone())
        });
        (self.source, self.frame) = (source, outer);
        bound.map(Bound::into_columns)
    }

    /// Reads what a rule runs, and whether that returns the row which has been changed.
    fn commands(
        &mut self,
        cursor: &mut Cursor<'_>,
        relation: &Relation,
        (event, returns): (&str, Returns),
    ) -> Result<(Vec<String>, bool)> {
        if cursor.word("nothing") {
            return Ok((Vec::new(), false));
        }
        let tokens = cursor.rest();
        let within = match tokens {
            [first, inner @ .., last] if first.token == Token::LParen && last.token == Token::RParen => inner,
            all => all,
        };
        let mut returning = false;
        let mut commands = Vec::new();
        for command in within.split(|token| token.token == Token::SemiColon).filter(|part| !part.is_empty()) {
            let columns = self.command(command, relation, event)?;
            commands.push(self.source.text_of(command));
            let Some(columns) = columns else { continue };
            let again = if returning { Returns::Again } else { returns };
            again.require()?;
            require_row(&self.catalog, relation, &columns)?;
            returning = true;
        }
        if commands.is_empty() {
            return Err(cursor.unexpected());
        }
        if returning && relation.kind != RelationKind::View {
            return Err(SqlError::unsupported("RETURNING in a rule of a table"));
        }
        Ok((commands, returning))
    }

    /// Checks a command of a rule. Returns the columns that it gives.
    fn command(
        &mut self,
        command: &[TokenWithSpan],
        relation: &Relation,
        event: &str,
    ) -> Result<Option<Vec<Output>>> {
        let is = |word: &str| command.first().is_some_and(|first| is_word(first, word));
        if !["insert", "update", "delete", "notify"].into_iter().any(is) {
            return Err(SqlError::unsupported(
                "a rule with a command that is no INSERT, UPDATE, DELETE or NOTIFY",
            ));
        }
        // The commands have the rights of the relation's owner, so that these would name the owner.
        let roles = ["current_user", "current_role", "user"];
        if command.iter().any(|token| roles.iter().any(|role| is_word(token, role))) {
            return Err(SqlError::unsupported("current_user in a rule"));
        }
        if is("notify") {
            return Ok(None);
        }
        let bound = self.bind_command(relation, self.source.clone(), command);
        let names = |row: &str| {
            let qualifies = |pair: &[TokenWithSpan]| is_word(&pair[0], row) && pair[1].token == Token::Period;
            command.windows(2).any(qualifies)
        };
        let missing = ["old", "new"].into_iter().find(|row| !rows_of_rule(event).contains(row));
        if let Some(row) = missing.filter(|row| names(row)) {
            let message = format!("ON {} rule cannot use {}", event.to_uppercase(), row.to_uppercase());
            return Err(SqlError::new(SqlState::new("42P17"), message));
        }
        self.require_columns_of_rows(command, relation)?;
        // The rights are those of the relation's owner.
        let is_of_role = |error: &SqlError| error.code == SqlState::INSUFFICIENT_PRIVILEGE;
        match bound {
            Err(error) if is_of_role(&error) && !command.iter().any(|token| is_word(token, "returning")) => {
                Ok(None)
            }
            bound => bound,
        }
    }

    /// Refuses a command that names a column which the rows before and after the change do not have.
    fn require_columns_of_rows(&self, command: &[TokenWithSpan], relation: &Relation) -> Result<()> {
        for part in command.windows(3) {
            let Some(row) = ["old", "new"].into_iter().find(|row| is_word(&part[0], row)) else { continue };
            let Some(column) = name_of(&part[2]).filter(|_| part[1].token == Token::Period) else { continue };
            if relation.column(&column).is_none() {
                let message = format!("column {row}.{column} does not exist");
                let at = self.source.offset(part[0].span.start);
                return Err(SqlError::new(SqlState::UNDEFINED_COLUMN, message).at(at));
            }
        }
        Ok(())
    }

    /// Reads the name of a rule and of its relation.
    pub(super) fn rule_of(
        &self,
        cursor: &mut Cursor<'_>,
    ) -> Result<(Oid, std::result::Result<Oid, SqlError>)> {
        let name = cursor.ident()?;
        cursor.expect_word("on")?;
        let (schema, table) = cursor.name()?;
        let relation = self.find(schema.as_deref(), &table)?;
        let found = relation.rules.iter().find(|rule| rule.name == name).map(|rule| rule.oid);
        let message = format!("rule \"{name}\" for relation \"{table}\" does not exist");
        Ok((relation.oid, found.ok_or_else(|| SqlError::new(SqlState::UNDEFINED_OBJECT, message))))
    }

    pub(super) fn alter_rule(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let (relation, rule) = self.rule_of(cursor)?;
        let rule = rule?;
        self.require_relation_owner(relation)?;
        cursor.expect_word("rename")?;
        cursor.expect_word("to")?;
        let name = cursor.ident()?;
        cursor.finish()?;
        if let Some(known) = self.rule_mut(relation, rule) {
            known.name = name;
        }
        Ok(Done::command("ALTER RULE"))
    }

    pub(super) fn rule_mut(&mut self, relation: Oid, rule: Oid) -> Option<&mut Rule> {
        self.relation_mut(relation).rules.iter_mut().find(|known| known.oid == rule)
    }

    pub(super) fn drop_rule(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_exists = cursor.words("if exists");
        let found = self.rule_of(cursor);
        let _ = cursor.word("cascade") || cursor.word("restrict");
        match found {
            Ok((relation, Ok(rule))) => {
                cursor.finish()?;
                self.require_relation_owner(relation)?;
                self.relation_mut(relation).rules.retain(|known| known.oid != rule);
            }
            Ok((_, Err(error))) | Err(error) => self.skip(if_exists, error)?,
        }
        Ok(Done::command("DROP RULE"))
    }

    /// The answer to a change that a rule turns into nothing.
    pub(crate) fn done_nothing(&self, statement: &ast::Statement) -> Result<Option<Done>> {
        let (event, returning) = match statement {
            ast::Statement::Insert(insert) => ("INSERT", insert.returning.is_some()),
            ast::Statement::Update(update) => ("UPDATE", update.returning.is_some()),
            ast::Statement::Delete(delete) => ("DELETE", delete.returning.is_some()),
            _ => return Ok(None),
        };
        let Some(relation) = crate::dml::target_of(statement).map(|name| self.binder().find_relation(name))
        else {
            return Ok(None);
        };
        let Ok(relation) = relation else { return Ok(None) };
        let replica = self.settings.is_replica();
        let in_force = || relation.rules.iter().filter(move |rule| rule.fires_in(replica));
        let rules = || in_force().filter(|rule| rule.event == event);
        if returning && rules().any(|rule| rule.instead) && !rules().any(|rule| rule.returning) {
            let message = format!("cannot perform {event} RETURNING on relation \"{}\"", relation.name);
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message).hint(format!(
                "You need an unconditional ON {event} DO INSTEAD rule with a RETURNING clause."
            )));
        }
        if let ast::Statement::Insert(ast::Insert { on: Some(ast::OnInsert::OnConflict(_)), .. }) = statement
            && (relation.rules.iter().any(|rule| rule.event == "UPDATE")
                || rules().any(|rule| !rule.commands.is_empty()))
        {
            let message =
                "INSERT with ON CONFLICT clause cannot be used with table that has INSERT or UPDATE rules";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        let others = || rules().any(|rule| rule.acts() && !rule.is_nothing());
        if !rules().any(Rule::is_nothing) || relation.kind != RelationKind::View && others() {
            return Ok(None);
        }
        Ok(Some(Done::command(if event == "INSERT" {
            "INSERT 0 0".to_owned()
        } else {
            format!("{event} 0")
        })))
    }
}
