//! Changes to a text before the server gets it: no function can replace the clock's keywords, roles are shared by all databases of
//! a server, and the service allows its projects what PostgreSQL allows only to a server's owner.

use super::database::quoted;
use super::scan::{Scan, Statement};
use super::shapes;
use sim_core::sql::SCHEMAS_OF_EXTENSIONS;

/// Keywords of the clock. Each has a function of that name in our databases.
const CLOCK: [&str; 5] = ["current_timestamp", "current_date", "current_time", "localtimestamp", "localtime"];

/// The beginnings of statements that the server's owner runs. `|` divides alternatives, `*` is any word.
const OF_THE_OWNER: [&str; 12] = [
    "create extension",
    "alter extension * update|set",
    "create|alter|drop event trigger",
    "comment on event trigger",
    "comment on database",
    "alter database * owner",
    "create|drop foreign data wrapper",
    "create publication * for all tables",
    "create publication * for tables in schema",
    "alter role|user|database * set|reset",
    "alter role|user * in database",
    "alter role|user all set|reset",
];

/// The beginnings of statements on roles, unless the third word is `mapping`.
const OF_A_ROLE: [&str; 2] = ["create|alter|drop role|user|group", "comment on role"];

/// A longer text is no statement on roles: rights on a thousand tables are looked at no further.
const MEMBERSHIP_MAX: usize = 4096;

/// Texts of which the expression of an `execute` has one if it may make a statement that the server's owner runs.
const DYNAMIC: [&str; 17] = [
    "create publication",
    "create extension",
    "alter extension",
    "hnsw",
    "ivfflat",
    "event trigger",
    "foreign data wrapper",
    "create role",
    "create user",
    "create group",
    "alter role",
    "alter user",
    "drop role",
    "drop user",
    "alter database",
    "grant ",
    "revoke ",
];

/// The beginning of a statement in every dump. Here `postgres` does not own the database, so it would lose the schema.
const OF_THE_DATABASES_OWNER: &str = "alter schema public owner to pg_database_owner";

/// Types of arguments of functions that only extensions have.
const INNER_TYPES: [&str; 2] = ["internal", "cstring"];

/// Parameters of sessions, and the first major version that has them. Dumps and clients of later versions set them.
const NEW_PARAMETERS: [(&str, u32); 12] = [
    ("transaction_timeout", 17),
    ("event_triggers", 17),
    ("enable_group_by_reordering", 17),
    ("io_combine_limit", 17),
    ("createrole_self_grant", 16),
    ("scram_iterations", 16),
    ("icu_validation_level", 16),
    ("debug_parallel_query", 16),
    ("enable_presorted_aggregate", 16),
    ("vacuum_buffer_usage_limit", 16),
    ("enable_self_join_elimination", 18),
    ("enable_distinct_reordering", 18),
];

/// The beginnings of statements that set parameters.
const OF_A_PARAMETER: [&str; 2] = ["set|reset *", "set session|local *"];

/// Rights on tables, and the first major version that has them. Dumps of later versions grant them.
const NEW_RIGHTS: [(&str, u32); 1] = [("maintain", 17)];

/// The beginnings of statements that change rights.
const OF_RIGHTS: [&str; 2] = ["grant|revoke", "alter default privileges"];

/// The beginnings of statements that create an index.
const OF_AN_INDEX: [&str; 2] = ["create index", "create unique index"];

/// Methods of indexes on vectors. The stand-in of the extension has them without their options.
const VECTOR_METHODS: [&str; 2] = ["hnsw", "ivfflat"];

/// The most bodies of functions inside each other that are read. Further ones go to the server as they are.
const DEPTH_MAX: u32 = 32;

/// Words of which a text has one if a connection's text is changed.
const CHANGED: [&str; 15] = [
    "extension",
    "event",
    "wrapper",
    "alter",
    "hnsw",
    "ivfflat",
    "publication",
    "role",
    "user",
    "group",
    "grant",
    "revoke",
    "comment on database",
    "geography",
    "geometry",
];

/// A text as received, and the changes to it.
#[derive(Debug, Default)]
pub(super) struct Rewrite<'a> {
    text: &'a str,
    edits: Vec<Edit>,
    /// How many bodies of functions it is in.
    depth: u32,
    /// Whether it is a body that may make a statement of the server's owner. Known once that has been asked.
    may_make_one: Option<bool>,
    /// Whether keywords of the clock change.
    clock: bool,
    /// Whether statements change that the server's owner runs.
    on_behalf: bool,
    /// The server's major version.
    version: u32,
    /// The roles that the text creates.
    pub(super) roles: Vec<NewRole>,
    /// Whether part of the text may take effect although the rest fails.
    pub(super) may_commit: bool,
    /// Whether it changes settings of the database, which sessions read when they begin.
    pub(super) sets_database: bool,
    /// Whether the number of statements matters: some commands need a block of several.
    pub(super) wants_block: bool,
}

/// A statement that creates a role.
#[derive(Clone, Debug)]
pub(super) struct NewRole {
    pub(super) name: String,
    statement: String,
    /// Where the statement begins and ends.
    at: usize,
    end: usize,
}

#[derive(Debug)]
struct Edit {
    at: usize,
    length: usize,
    new: String,
}

impl<'a> Rewrite<'a> {
    /// Reads `text` for a server of that major version. With `has_functions`, keywords of the clock and statements of the server's owner
    /// become calls.
    pub(super) fn of(text: &'a str, has_functions: bool, version: u32) -> Rewrite<'a> {
        Rewrite { text, clock: has_functions, on_behalf: has_functions, version, ..Rewrite::default() }.read()
    }

    fn read(mut self) -> Rewrite<'a> {
        Scan::of(self.text).run(&mut self);
        self
    }

    /// Reads the body of a function, which ends at `end`.
    pub(super) fn body(&mut self, at: usize, end: usize) {
        let Rewrite { text, clock, on_behalf, version, depth, .. } = *self;
        if depth >= DEPTH_MAX {
            return;
        }
        let mut inside = Rewrite { text, clock, on_behalf, version, depth: depth + 1, ..Rewrite::default() };
        Scan::of_body(text, at, end).run(&mut inside);
        self.edits.append(&mut inside.edits);
        self.sets_database |= inside.sets_database;
    }

    /// Reads a body that is written as a string.
    pub(super) fn quoted_body(&mut self, at: usize, string: &str) {
        let Some(inside) = string.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) else { return };
        let inside = inside.replace("''", "'");
        let Rewrite { clock, on_behalf, version, depth, .. } = *self;
        let mut body = Rewrite { text: &inside, clock, on_behalf, version, depth, ..Rewrite::default() };
        body.body(0, inside.len());
        self.sets_database |= body.sets_database;
        if !body.edits.is_empty() {
            self.edits.push(Edit { at, length: string.len(), new: quoted(&body.print()) });
        }
    }

    /// Changes the creation of a role into a change of the existing role.
    pub(super) fn alter(&mut self, role: &NewRole) {
        let length = "create".len();
        self.edit(Edit { at: role.at, length, new: "alter ".to_owned() });
    }

    /// Creates a role as the server's owner.
    pub(super) fn create(&mut self, role: &NewRole) {
        self.edit(Edit { at: role.at, length: role.end - role.at, new: on_behalf(&role.statement) });
    }

    fn edit(&mut self, edit: Edit) {
        let place = self.edits.partition_point(|known| known.at <= edit.at);
        self.edits.insert(place, edit);
    }

    /// The text to send.
    pub(super) fn print(&self) -> String {
        let mut printed = String::with_capacity(self.text.len() + 8 * self.edits.len());
        let mut done = 0;
        for Edit { at, length, new } in &self.edits {
            printed.push_str(&self.text[done..*at]);
            printed.push_str(new);
            done = at + length;
        }
        printed.push_str(&self.text[done..]);
        printed
    }

    /// The position in the original text of the byte `place` of the changed one.
    pub(super) fn came_from(&self, place: usize) -> usize {
        let mut grown = 0;
        for Edit { at, length, new } in &self.edits {
            let start = at + grown;
            if place < start {
                break;
            }
            if place < start + new.len() {
                return *at;
            }
            grown += new.len() - length;
        }
        place - grown
    }

    /// Reads a word.
    pub(super) fn word(&mut self, at: usize, word: &str, previous: &str, next: Option<char>) {
        let lower = word.to_ascii_lowercase();
        let is_clock = self.clock && CLOCK.contains(&lower.as_str());
        if is_clock && !previous.eq_ignore_ascii_case("as") && previous != "." {
            let call = if next == Some('(') { "" } else { "()" };
            self.edits.push(Edit { at, length: word.len(), new: format!("\"{lower}\"{call}") });
        }
        self.may_commit |= lower == "concurrently";
    }

    /// Reads a name, after which `rest` is left from the byte `at` on.
    pub(super) fn shape(&mut self, at: usize, name: &str, rest: &str) {
        if let Some((end, new)) = shapes::added(name, rest).filter(|_| self.on_behalf) {
            self.edits.push(Edit { at: at + end, length: 0, new });
        }
    }

    /// Reads a statement.
    pub(super) fn statement(&mut self, statement: &Statement<'a>) {
        let is = |index: usize, any: &[&str]| statement.is(index, any);
        self.may_commit |= is(0, &["commit", "end", "call", "do", "prepare"]);
        self.sets_database |= is(0, &["alter"]) && is(1, &["database"]);
        self.wants_block |= is(0, &["lock", "declare", "savepoint", "release"]);
        let Some((at, text)) = statement.text() else { return };
        if let Some(body) = statement.body.filter(|_| is(0, &["execute"])) {
            return self.dynamic(statement, body);
        }
        self.parameter(statement);
        let begins = |heads: &[&str]| heads.iter().any(|head| statement.begins(head));
        let of_a_role = (begins(&OF_A_ROLE) && !is(2, &["mapping"])) || is_membership(statement);
        if of_a_role && is(0, &["create"]) && statement.body.is_none() {
            self.roles.extend(NewRole::of(statement));
        } else if self.on_behalf {
            let new = if of_a_role || begins(&OF_THE_OWNER) || is_on_database(statement) {
                Some(on_behalf(&statement.plain(at)))
            } else if begins(&[OF_THE_DATABASES_OWNER]) {
                Some("do 'begin end'".to_owned())
            } else if begins(&OF_AN_INDEX) {
                without_options(text)
            } else if is_on_function_of_extension(statement) {
                Some(if_there(text))
            } else if begins(&OF_RIGHTS) {
                without_new_rights(text, self.version)
            } else {
                None
            };
            if let Some(new) = new {
                self.edits.truncate(self.edits.partition_point(|inner| inner.at < at));
                self.edits.push(Edit { at, length: text.len(), new });
            }
        }
    }

    /// A parameter that the server does not have yet becomes one of ours, so that setting it has no effect.
    fn parameter(&mut self, statement: &Statement<'a>) {
        let names = OF_A_PARAMETER.iter().enumerate().filter(|(_, head)| statement.begins(head));
        let names = names.filter_map(|(index, _)| statement.words.get(index + 1));
        for (at, word) in names {
            let name = word.trim_matches('"').to_ascii_lowercase();
            if NEW_PARAMETERS.iter().any(|(new, since)| *new == name && self.version < *since) {
                self.edit(Edit { at: *at, length: word.len(), new: format!("stuntdouble.{name}") });
            }
        }
    }

    /// Reads an `execute` in the body of a function. A function runs what it makes, if the server's owner has to.
    fn dynamic(&mut self, statement: &Statement<'a>, body: &str) {
        let Some((at, end)) = statement.expression() else { return };
        let expression = &self.text[at..end];
        let is_made_elsewhere = !expression.contains(['\'', '$']);
        let mut elsewhere = || *self.may_make_one.get_or_insert_with(|| may_make_one(body));
        if may_make_one(expression) || (is_made_elsewhere && elsewhere()) {
            self.sets_database = true;
            if self.on_behalf {
                let function = " pg_catalog.stuntdouble_executed(".to_owned();
                self.edit(Edit { at, length: 0, new: function });
                self.edit(Edit { at: end, length: 0, new: ")".to_owned() });
            }
        }
    }
}

impl NewRole {
    fn of(statement: &Statement<'_>) -> Option<NewRole> {
        let (_, name) = *statement.words.get(2)?;
        let at = statement.words[0].0;
        Some(NewRole {
            name: match name.strip_prefix('"') {
                Some(quoted) => quoted.trim_end_matches('"').replace("\"\"", "\""),
                None => name.to_lowercase(),
            },
            statement: statement.plain(at),
            at,
            end: statement.end,
        })
    }
}

/// What a connection of a client sends, as a server of that major version gets it; `None` if that is the same. The clock is the server's.
pub(crate) fn rewritten_for_connection(text: &str, version: u32) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    let has_new = || NEW_PARAMETERS.iter().any(|(name, since)| version < *since && lower.contains(name));
    if !CHANGED.iter().any(|word| lower.contains(word)) && !has_new() {
        return None;
    }
    let mut rewrite = Rewrite { text, on_behalf: true, version, ..Rewrite::default() }.read();
    for role in std::mem::take(&mut rewrite.roles) {
        rewrite.create(&role);
    }
    (!rewrite.edits.is_empty()).then(|| rewrite.print())
}

/// Whether it makes roles members of others, or ends that. All other rights are on something.
fn is_membership(statement: &Statement<'_>) -> bool {
    let Some((at, text)) = statement.text().filter(|_| statement.begins("grant|revoke")) else {
        return false;
    };
    let plain = statement.plain(at);
    text.len() <= MEMBERSHIP_MAX && !plain.split_whitespace().any(|word| word.eq_ignore_ascii_case("on"))
}

/// Whether it changes rights on a database.
fn is_on_database(statement: &Statement<'_>) -> bool {
    statement.begins("grant|revoke")
        && (2..statement.words.len())
            .any(|index| statement.is(index, &["database"]) && statement.is(index - 1, &["on"]))
}

/// Whether it changes rights on a function of an extension, or its owner.
fn is_on_function_of_extension(statement: &Statement<'_>) -> bool {
    let kind = ["function", "procedure", "routine"];
    let is_kind = |index: usize| statement.is(index, &kind);
    let place = if statement.begins("alter") {
        is_kind(1).then_some(1)
    } else if statement.begins("grant|revoke") {
        (2..statement.words.len()).find(|index| is_kind(*index) && statement.is(index - 1, &["on"]))
    } else {
        None
    };
    let Some(place) = place else { return false };
    let Some((at, schema)) = statement.words.get(place + 1) else { return false };
    let is_theirs = SCHEMAS_OF_EXTENSIONS.contains(&&*schema.trim_matches('"').to_ascii_lowercase());
    let is_inner = |text: &str| INNER_TYPES.iter().any(|inner| text.to_ascii_lowercase().contains(inner));
    is_theirs || is_inner(&statement.plain(*at))
}

/// A block that runs the statement, and only gives notice if there is no such function.
fn if_there(statement: &str) -> String {
    let body = format!(
        "begin execute {}; exception when undefined_function or undefined_object or invalid_schema_name then \
         if sqlerrm like 'role %' then raise; end if; raise notice '%, skipping', sqlerrm; end",
        quoted(statement)
    );
    format!("do {}", quoted(&body))
}

/// Whether `text`, part of the body of a function, may make a statement that the server's owner runs.
fn may_make_one(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    DYNAMIC.iter().any(|one| lower.contains(one))
}

/// A block in which the server's owner runs the statement.
fn on_behalf(statement: &str) -> String {
    let call = format!("pg_catalog.stuntdouble_on_behalf({})", quoted(statement));
    if_known("stuntdouble_on_behalf(text)", &call, statement)
}

/// A block that makes the call if the database has the function, else runs the statement.
fn if_known(function: &str, call: &str, statement: &str) -> String {
    let condition = format!("pg_catalog.to_regprocedure('pg_catalog.{function}') is not null");
    block(&condition, &format!("perform {call}"), statement)
}

fn block(condition: &str, then: &str, otherwise: &str) -> String {
    let body = format!("begin if {condition} then {then}; else execute {}; end if; end", quoted(otherwise));
    format!("do {}", quoted(&body))
}

/// A statement that creates an index on vectors without the options of its method, if the method is that of the stand-in.
fn without_options(statement: &str) -> Option<String> {
    let outer = outer_words(statement);
    let is =
        |index: usize, name: &str| outer.get(index).is_some_and(|(_, word)| word.eq_ignore_ascii_case(name));
    let using = (0..outer.len()).find(|index| is(*index, "using"))?;
    let method = outer.get(using + 1)?.1.trim_matches('"').to_ascii_lowercase();
    let with = (using + 2..outer.len()).find(|index| is(*index, "with"))?;
    if !VECTOR_METHODS.contains(&&*method) {
        return None;
    }
    let from = outer[with].0;
    let after = outer.get(with + 1).map_or(statement.len(), |(at, _)| *at);
    let options = &statement[from..after];
    let to = from + options.rfind(')')? + 1;
    let plain = format!("{}{}", &statement[..from], &statement[to..]);
    if (0..using).any(|index| is(index, "concurrently")) {
        // No block may run it. The options only change how fast an index is.
        return Some(plain);
    }
    let condition = format!(
        "exists (select from pg_catalog.pg_am join pg_catalog.pg_proc on pg_proc.oid = amhandler where amname = '{method}' and prosrc = 'hashhandler')"
    );
    Some(block(&condition, &format!("execute {}", quoted(&plain)), statement))
}

/// A block that changes the rights which a server of that major version has, and says which ones it has not.
fn without_new_rights(statement: &str, version: u32) -> Option<String> {
    let outer = outer_words(statement);
    let find = |from: usize, any: &[&str]| {
        (from..outer.len()).find(|index| any.iter().any(|one| outer[*index].1.eq_ignore_ascii_case(one)))
    };
    let verb = find(0, &["grant", "revoke"])?;
    let on = find(verb, &["on"])?;
    let first = find(verb, &["for"]).filter(|at| *at < on).unwrap_or(verb);
    let from = outer[first].0 + outer[first].1.len();
    let rights = statement[from..outer[on].0].split(',').map(str::trim);
    let is_new = |right: &&str| {
        NEW_RIGHTS.iter().any(|(new, since)| version < *since && right.eq_ignore_ascii_case(new))
    };
    let (new, old): (Vec<&str>, Vec<&str>) = rights.partition(is_new);
    let missing = new.first()?;
    let notice = quoted(&format!(
        "this server has no privilege {}, which later versions have",
        missing.to_uppercase()
    ));
    let rest = format!("{} {} {}", &statement[..from], old.join(", "), &statement[outer[on].0..]);
    let rest = if old.is_empty() { String::new() } else { format!("execute {};", quoted(&rest)) };
    Some(format!("do {}", quoted(&format!("begin raise notice '%', {notice}; {rest} end"))))
}

/// The words of a statement outside brackets. Names may have quotes.
fn outer_words(statement: &str) -> Vec<(usize, &str)> {
    let (mut words, mut depth, mut quote, mut begun) = (Vec::new(), 0_usize, None, None);
    for (at, char) in statement.char_indices().chain([(statement.len(), ' ')]) {
        let is_in_word = quote.is_some() || char.is_alphanumeric() || "_$\"".contains(char);
        if let Some(start) = begun.filter(|_| !is_in_word) {
            words.push((start, &statement[start..at]));
            begun = None;
        }
        match char {
            '"' | '\'' if quote.is_none() => quote = Some(char),
            char if quote == Some(char) => quote = None,
            '(' if quote.is_none() => depth += 1,
            ')' if quote.is_none() => depth = depth.saturating_sub(1),
            _ => {}
        }
        if is_in_word && depth == 0 && quote != Some('\'') {
            begun.get_or_insert(at);
        }
    }
    words
}

#[cfg(test)]
mod tests;
