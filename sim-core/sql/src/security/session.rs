//! Who a session is, what it has set, and when that ends.

use std::collections::BTreeMap;
use std::rc::Rc;

use rusqlite::types::Value;

use crate::bind::Settings;
use crate::catalog::{Catalog, SessionStart, quote_identifier};
use crate::error::{Result, SqlError, SqlState};
use crate::parameters;
use crate::run::Engine;
use crate::security::rights::denied;
use crate::types::Type;
use crate::value::datetime::{Order, read_dates_as};
use sim_values::zone;

/// The schemas that are searched at first.
pub(crate) const SEARCH_PATH: [&str; 2] = ["public", "extensions"];

/// The settings to which the ends of transactions return.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    /// Those at the beginning of the transaction: for `ROLLBACK`.
    begun: Settings,
    /// Those without what is local to the transaction: for `COMMIT`.
    lasting: Settings,
    /// Both the present ones and the lasting ones at each savepoint.
    savepoints: Vec<(String, Settings, Settings)>,
}

impl Kept {
    /// Those at the beginning of the transaction, and those that outlive it.
    pub(crate) fn outer(&self) -> (&Settings, &Settings) {
        (&self.begun, &self.lasting)
    }

    /// The same, in a later call of the transaction.
    pub(crate) fn again(begun: Settings, lasting: Settings) -> Kept {
        Kept { begun, lasting, savepoints: Vec::new() }
    }
}

/// A place to return to when a block fails.
#[derive(Clone, Debug)]
pub(crate) struct Mark(Settings, Option<Box<Kept>>);

/// The units of work that a change of a setting takes for each of them, because it copies them.
const SETTING_WORK: usize = 20;

impl Settings {
    /// Those of a new session.
    pub(crate) fn of(role: &str, read_only: bool) -> Settings {
        let mut values = BTreeMap::new();
        if read_only {
            for name in ["transaction_read_only", "default_transaction_read_only"] {
                values.insert(name.to_owned(), "on".to_owned());
            }
        }
        let role: Rc<str> = role.into();
        Settings {
            search_path: SEARCH_PATH.map(str::to_owned).into(),
            values: values.into(),
            first: Rc::default(),
            session_role: role.clone(),
            role,
            outside: None,
            fresh: Rc::default(),
        }
    }

    /// Begins a session with what the server's configuration has, and what roles and the database give later sessions.
    pub(crate) fn begin_with(&mut self, catalog: &Catalog, server: &[(String, String)]) {
        let mut given: Vec<&SessionStart> = catalog.session_starts().map(|(_, start)| start).collect();
        given.retain(|start| start.role.as_deref().is_none_or(|role| role == &*self.session_role));
        given.sort_by_key(|start| (start.role.is_some(), start.here));
        if given.is_empty() && server.is_empty() {
            return;
        }
        let given = given.into_iter().flat_map(|start| start.values.clone());
        let first: BTreeMap<String, String> = server.iter().cloned().chain(given).collect();
        for (name, value) in &first {
            self.assign(name, Some(value));
        }
        self.first = first.into();
    }

    /// Gives a parameter a value, or takes it away.
    fn assign(&mut self, name: &str, value: Option<&str>) {
        if name == "search_path" {
            self.search_path = match value {
                Some(value) => names_of_path(value),
                None => SEARCH_PATH.map(str::to_owned).into(),
            };
        }
        let before = self.date_order();
        let values = Rc::make_mut(&mut self.values);
        match value {
            Some(value) if name == parameters::DATE_STYLE => {
                // It may name another order, or none.
                let order = parameters::date_style(value, before).unwrap_or(before);
                values.insert(name.to_owned(), parameters::shown_date_style(order));
            }
            Some(value) => drop(values.insert(name.to_owned(), parameters::shown(name, value))),
            // A parameter of the caller's own stays known, with an empty value.
            None if is_custom(name) => drop(values.insert(name.to_owned(), String::new())),
            None => drop(values.remove(name)),
        }
    }

    /// The order in which the numbers of dates are read.
    pub(crate) fn date_order(&self) -> Order {
        let style = self.values.get(parameters::DATE_STYLE);
        style.and_then(|style| parameters::date_style(style, Order::default()).ok()).unwrap_or_default()
    }

    /// The session's time zone, unless it is UTC.
    pub(crate) fn zone(&self) -> Option<&str> {
        let zone = self.values.get("timezone").map(String::as_str);
        zone.filter(|zone| !parameters::is_utc(zone))
    }

    /// A timestamp as the session's time zone shows it.
    pub(crate) fn shown_instant(&self, type_: Type, value: &Value) -> Option<Value> {
        let zone = self.zone()?;
        match (type_, value) {
            (Type::TIMESTAMPTZ, Value::Integer(micros)) => zone::printed(*micros, zone).ok().map(Value::Text),
            (list, Value::Text(items)) if list.element() == Some(Type::TIMESTAMPTZ) => {
                zone::printed_all(items, zone).ok().map(Value::Text)
            }
            _ => None,
        }
    }

    /// Whether the transaction may only read, by a parameter that was set.
    pub(crate) fn is_read_only(&self) -> bool {
        let value = |name: &str| self.values.get(name);
        value("transaction_read_only").or_else(|| value("default_transaction_read_only")).is_some_and(
            |value| {
                ["on", "true", "yes", "1"]
                    .iter()
                    .any(|word| value.trim_matches('\'').eq_ignore_ascii_case(word))
            },
        )
    }

    /// Whether triggers and foreign keys rest, as when changes are copied from elsewhere.
    pub(crate) fn is_replica(&self) -> bool {
        self.values.get("session_replication_role").is_some_and(|role| role.eq_ignore_ascii_case("replica"))
    }

    /// Gives a parameter the value that it had `before`.
    pub(crate) fn take_back(&mut self, name: &str, before: &Settings) {
        match name {
            "search_path" => self.search_path.clone_from(&before.search_path),
            "role" => self.role = before.role.clone(),
            "session_authorization" => self.session_role = before.session_role.clone(),
            _ => {}
        }
        let values = Rc::make_mut(&mut self.values);
        match before.values.get(name) {
            Some(value) => drop(values.insert(name.to_owned(), value.clone())),
            None => drop(values.remove(name)),
        }
    }

    /// Keeps the parameters known that were set before.
    pub(crate) fn knowing(mut self, before: &Settings) -> Settings {
        for name in before.values.keys().filter(|name| is_custom(name)) {
            if !self.values.contains_key(name) {
                Rc::make_mut(&mut self.values).insert(name.clone(), String::new());
            }
        }
        self
    }
}

/// The schemas that a text names, such as `a, "b"` or `'a', 'b'`, but for that of the role.
pub(crate) fn names_of_path(text: &str) -> Vec<String> {
    let names = text.split(',').map(|schema| schema.trim().trim_matches(['"', '\'']).to_owned());
    names.filter(|schema| !schema.is_empty() && schema != "$user").collect()
}

/// A path of schemas as it is shown.
pub(crate) fn shown_path(text: &str) -> String {
    let names = text.split(',').map(|schema| schema.trim().trim_matches(['"', '\'']));
    names
        .map(|schema| if schema.is_empty() { "\"\"".to_owned() } else { quote_identifier(schema) })
        .collect::<Vec<_>>()
        .join(", ")
}

/// Whether a parameter is a mode of one transaction.
fn is_of_transaction(name: &str) -> bool {
    ["transaction_isolation", "transaction_read_only", "transaction_deferrable"].contains(&name)
}

/// Whether a parameter is one that callers make up.
pub(crate) fn is_custom(name: &str) -> bool {
    name.contains('.')
}

impl Engine<'_> {
    /// Gives a parameter of the session a value, or its first one; `local`: until the transaction ends.
    ///
    /// Fails when it is a role that the session can't become.
    pub(crate) fn set_parameter(&mut self, name: &str, value: Option<&str>, local: bool) -> Result<()> {
        match name {
            "role" => self.set_role(value.filter(|role| *role != "none"), local),
            "session_authorization" => self.set_session_role(value, local),
            _ => {
                // What a transaction is like ends with it.
                let local = local || is_of_transaction(name);
                self.require_unbegun(name, value)?;
                self.budget.work(SETTING_WORK * self.settings.values.len())?;
                let first = self.settings.first.get(name).map(String::as_str);
                let value = value.or(first).map(str::to_owned);
                self.change_settings(local, |settings| settings.assign(name, value.as_deref()));
                Ok(())
            }
        }
    }

    /// Sets a parameter as a statement does, which shows a path in its own form. `set_config` keeps the text that it gets.
    pub(crate) fn set_as_written(&mut self, name: &str, value: &str, local: bool) -> Result<()> {
        match name {
            "search_path" => self.set_parameter(name, Some(&shown_path(value)), local),
            _ => self.set_parameter(name, Some(value), local),
        }
    }

    /// Takes back everything that has been set, but the role.
    pub(crate) fn reset_all(&mut self) {
        let names: Vec<String> = self.settings.values.keys().cloned().collect();
        self.budget.draw(SETTING_WORK * names.len() * names.len());
        for name in names.iter().filter(|name| !name.ends_with("transaction_read_only")) {
            let first = self.settings.first.get(name).cloned();
            self.change_settings(false, |settings| settings.assign(name, first.as_deref()));
        }
    }

    /// Notes that the transaction has added a label to an enum.
    pub(crate) fn note_label(&mut self, type_: Type, label: &str) {
        let label = (type_.0, label.to_owned());
        self.change_settings(true, |settings| {
            Rc::make_mut(&mut settings.fresh).insert(label.clone());
        });
    }

    fn set_role(&mut self, role: Option<&str>, local: bool) -> Result<()> {
        if self.definers > 0 {
            return Err(denied("cannot set parameter \"role\" within security-definer function"));
        }
        let session = self.settings.session_role.clone();
        let role: Rc<str> = match role {
            None => session,
            Some(role) => {
                self.require_role(role)?;
                if !self.catalog.is_member_of(&session, role) {
                    return Err(denied(format!("permission denied to set role \"{role}\"")));
                }
                role.into()
            }
        };
        self.change_settings(local, |settings| settings.role = role.clone());
        self.tell_role()
    }

    fn set_session_role(&mut self, role: Option<&str>, local: bool) -> Result<()> {
        let opened = self.opened_by.clone();
        let role: Rc<str> = match role.filter(|role| *role != "default") {
            None => opened.clone(),
            Some(role) => {
                self.require_role(role)?;
                role.into()
            }
        };
        if role != opened && !self.catalog.role(&opened).is_some_and(|(_, opened)| opened.superuser) {
            return Err(denied("permission denied to set session authorization"));
        }
        self.change_settings(local, |settings| {
            settings.session_role = role.clone();
            settings.role = role.clone();
        });
        self.tell_role()
    }

    fn require_role(&self, role: &str) -> Result<()> {
        if self.catalog.role(role).is_some() {
            return Ok(());
        }
        Err(SqlError::new(SqlState::INVALID_PARAMETER, format!("role \"{role}\" does not exist")))
    }

    /// Runs something with the rights of another role, as a function with `SECURITY DEFINER` does.
    pub(crate) fn as_role<T>(&mut self, role: &str, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = std::mem::replace(&mut self.settings.role, role.into());
        if self.definers == 0 {
            self.outside.clone_from(&before);
            self.settings.outside = Some(before.clone());
        }
        self.definers += 1;
        let result = self.tell_role().and_then(|()| run(self));
        self.definers -= 1;
        self.settings.role = before;
        if self.definers == 0 {
            self.settings.outside = None;
        }
        self.tell_role().and(result)
    }

    fn change_settings(&mut self, local: bool, change: impl Fn(&mut Settings)) {
        self.keep_settings();
        change(&mut self.settings);
        read_dates_as(self.settings.date_order());
        if let Some(kept) = self.kept.as_mut().filter(|_| !local) {
            change(&mut kept.lasting);
        }
    }

    fn keep_settings(&mut self) {
        if self.kept.is_none() {
            let mut settings = self.settings.clone();
            if self.definers > 0 {
                settings.role = self.outside.clone();
                settings.outside = None;
            }
            let (begun, lasting) = (settings.clone(), settings);
            self.kept = Some(Box::new(Kept { begun, lasting, savepoints: Vec::new() }));
        }
    }

    /// Ends what was set for the transaction alone, or, when that is undone, everything that was set in it.
    pub(crate) fn end_settings(&mut self, committed: bool) -> Result<()> {
        match self.kept.take() {
            Some(kept) => {
                let settings = if committed { kept.lasting } else { kept.begun };
                self.settings = settings.knowing(&self.settings);
                self.tell_role()
            }
            None => Ok(()),
        }
    }

    /// Notes what is set at a savepoint.
    pub(crate) fn settings_at_savepoint(&mut self, name: &str) {
        self.keep_settings();
        if let Some(kept) = &mut self.kept {
            kept.savepoints.push((name.to_owned(), self.settings.clone(), kept.lasting.clone()));
        }
    }

    /// Returns to what was set at a savepoint.
    pub(crate) fn settings_of_savepoint(&mut self, name: &str) -> Result<()> {
        let Some(kept) = &mut self.kept else { return Ok(()) };
        let Some(at) = kept.savepoints.iter().rposition(|(known, _, _)| known == name) else {
            return Ok(());
        };
        kept.savepoints.truncate(at + 1);
        let (_, settings, lasting) = kept.savepoints[at].clone();
        kept.lasting = lasting;
        self.settings = settings.knowing(&self.settings);
        self.tell_role()
    }

    /// What is set now, for [`Engine::return_to`].
    pub(crate) fn mark(&self) -> Mark {
        Mark(self.settings.clone(), self.kept.clone())
    }

    /// Takes back what has been set since a mark, when a block fails.
    pub(crate) fn return_to(&mut self, Mark(settings, kept): Mark) -> Result<()> {
        (self.settings, self.kept) = (settings, kept);
        self.tell_role()
    }

    /// Makes the settings that a statement has made with `set_config`.
    pub(crate) fn take_settings(&mut self) -> Result<()> {
        let mut take = self.connection.prepare_cached("SELECT pg_settings_set()")?;
        let set: String = take.query_row([], |row| row.get(0))?;
        let set: Vec<(String, Option<String>, bool)> =
            serde_json::from_str(&set).expect("the state prints what was set");
        for (name, value, local) in set {
            let name = name.to_lowercase();
            self.check_parameter(&name, value.as_deref().unwrap_or("default"))?;
            self.set_parameter(&name, value.as_deref(), local)?;
        }
        Ok(())
    }

    /// Lets SQL functions know who the caller is, and how dates are read.
    pub(crate) fn tell_role(&self) -> Result<()> {
        read_dates_as(self.settings.date_order());
        let mut tell = self.connection.prepare_cached("SELECT pg_become(?1, ?2)")?;
        Ok(tell.query_row((&*self.settings.role, &*self.settings.session_role), |_| Ok(()))?)
    }
}
