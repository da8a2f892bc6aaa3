//! Changes to a text before the server gets it: no function can replace the clock's keywords, roles are shared by all databases of
//! a server, and the service allows its projects what PostgreSQL allows only to a server's owner.

use super::database::quoted;

/// Keywords of the clock. Each has a function of that name in our databases.
const CLOCK: [&str; 5] = ["current_timestamp", "current_date", "current_time", "localtimestamp", "localtime"];

/// The beginnings of statements that the server's owner runs. `|` divides alternatives, `*` is any word.
const OF_THE_OWNER: [&str; 7] = [
    "create extension",
    "create|alter|drop event trigger",
    "comment on event trigger",
    "create|drop foreign data wrapper",
    "alter role|user|database * set|reset",
    "alter role|user * in database",
    "alter role|user all set|reset",
];

/// The beginnings of statements that create an index.
const OF_AN_INDEX: [&str; 2] = ["create index", "create unique index"];

/// Methods of indexes on vectors. The stand-in of the extension has them without their options.
const VECTOR_METHODS: [&str; 2] = ["hnsw", "ivfflat"];

/// Words of which a text has one if a connection's text is changed.
const CHANGED: [&str; 8] = ["extension", "event", "wrapper", "alter", "hnsw", "ivfflat", "role", "user"];

/// A text as received, and the changes to it.
#[derive(Debug, Default)]
pub(super) struct Rewrite<'a> {
    text: &'a str,
    edits: Vec<Edit>,
    /// Statements that the server's owner runs.
    on_behalf: Vec<Edit>,
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
    /// Where the statement begins, its options begin, and it ends.
    at: usize,
    options: usize,
    end: usize,
    is_user: bool,
}

#[derive(Debug)]
struct Edit {
    at: usize,
    length: usize,
    new: String,
}

impl<'a> Rewrite<'a> {
    /// Reads `text`. With `clock`, the keywords of the clock become calls.
    pub(super) fn of(text: &'a str, clock: bool) -> Rewrite<'a> {
        let mut rewrite = Rewrite { text, ..Rewrite::default() };
        Scan { text, at: 0, end: text.len(), words: Vec::new(), previous: "" }.run(&mut rewrite);
        if !clock {
            rewrite.edits.clear();
            rewrite.on_behalf.clear();
        }
        for edit in std::mem::take(&mut rewrite.on_behalf) {
            rewrite.edits.retain(|inner| inner.at < edit.at || inner.at >= edit.at + edit.length);
            rewrite.edit(edit);
        }
        rewrite
    }

    /// Changes the creation of a role into a change of the existing role.
    pub(super) fn alter(&mut self, role: &NewRole) {
        let length = "create".len();
        self.edit(Edit { at: role.at, length, new: "alter ".to_owned() });
    }

    /// Creates a role as the server's owner, through a function that checks the options. An existing role does not change.
    pub(super) fn create(&mut self, role: &NewRole, is_there: bool) {
        let body = match is_there {
            true => "begin end".to_owned(),
            false => {
                format!("begin perform pg_catalog.stuntdouble_create_role({}); end", self.definition(role))
            }
        };
        let new = format!("do {}", quoted(&body));
        self.edit(Edit { at: role.at, length: role.end - role.at, new });
    }

    /// The arguments of the function that creates a role.
    fn definition(&self, role: &NewRole) -> String {
        let options = self.text[role.options..role.end].trim();
        let with = options.get(..5).filter(|with| with.trim_end().eq_ignore_ascii_case("with"));
        let options = options[with.map_or(0, str::len)..].trim_start();
        let options = if role.is_user { format!("login {options}") } else { options.to_owned() };
        format!("{}, {}", quoted(&role.name), quoted(&options))
    }

    fn edit(&mut self, edit: Edit) {
        self.edits.push(edit);
        self.edits.sort_by_key(|edit| edit.at);
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

    fn word(&mut self, at: usize, word: &str, previous: &str, next: Option<char>) {
        let lower = word.to_ascii_lowercase();
        if CLOCK.contains(&lower.as_str()) && !previous.eq_ignore_ascii_case("as") && previous != "." {
            let call = if next == Some('(') { "" } else { "()" };
            self.edits.push(Edit { at, length: word.len(), new: format!("\"{lower}\"{call}") });
        }
        self.may_commit |= lower == "concurrently";
    }

    /// Reads the first words of a statement that ends at `end`.
    fn statement(&mut self, words: &[(usize, &str)], end: usize) {
        let is = |index: usize, any: &[&str]| {
            words.get(index).is_some_and(|(_, word)| any.iter().any(|one| word.eq_ignore_ascii_case(one)))
        };
        self.may_commit |= is(0, &["commit", "end", "call", "do", "prepare"]);
        self.sets_database |= is(0, &["alter"]) && is(1, &["database"]);
        self.wants_block |= is(0, &["lock", "declare", "savepoint", "release"]);
        let statement = words.first().and_then(|(at, _)| Some((*at, self.text.get(*at..end)?.trim_end())));
        if let Some((at, statement)) = statement {
            let begins = |heads: &[&str]| heads.iter().any(|head| begins(words, head));
            let new = if begins(&OF_THE_OWNER) {
                let call = format!("pg_catalog.stuntdouble_on_behalf({})", quoted(statement));
                Some(if_known("stuntdouble_on_behalf(text)", &call, statement))
            } else if begins(&OF_AN_INDEX) {
                without_options(statement)
            } else {
                None
            };
            self.on_behalf.extend(new.map(|new| Edit { at, length: statement.len(), new }));
        }
        if is(0, &["create"]) && is(1, &["role", "user", "group"]) && !is(2, &["mapping"]) {
            let role = words.get(2).map(|(place, name)| NewRole {
                name: match name.strip_prefix('"') {
                    Some(quoted) => quoted.trim_end_matches('"').replace("\"\"", "\""),
                    None => name.to_lowercase(),
                },
                at: words[0].0,
                options: place + name.len(),
                end,
                is_user: is(1, &["user"]),
            });
            self.roles.extend(role);
        }
    }
}

/// What a connection of a client sends, as the server gets it; `None` if that is the same. The clock is the server's.
pub(crate) fn rewritten_for_connection(text: &str) -> Option<String> {
    let lower = text.to_ascii_lowercase();
    if !CHANGED.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let mut rewrite = Rewrite { text, ..Rewrite::default() };
    Scan { text, at: 0, end: text.len(), words: Vec::new(), previous: "" }.run(&mut rewrite);
    rewrite.edits = std::mem::take(&mut rewrite.on_behalf);
    for role in std::mem::take(&mut rewrite.roles) {
        let call = format!("pg_catalog.stuntdouble_create_role({})", rewrite.definition(&role));
        let new = if_known("stuntdouble_create_role(text,text)", &call, &text[role.at..role.end]);
        rewrite.edit(Edit { at: role.at, length: role.end - role.at, new });
    }
    (!rewrite.edits.is_empty()).then(|| rewrite.print())
}

/// Whether these are the words of `head`.
fn begins(words: &[(usize, &str)], head: &str) -> bool {
    head.split(' ').enumerate().all(|(index, any)| {
        let is = |word: &str| any == "*" || any.split('|').any(|one| one.eq_ignore_ascii_case(word));
        words.get(index).is_some_and(|(_, word)| is(word))
    })
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

/// A block that creates an index on vectors without the options of its method, if the method is that of the stand-in.
fn without_options(statement: &str) -> Option<String> {
    let lower = statement.to_ascii_lowercase();
    let (method, from) =
        VECTOR_METHODS.iter().find_map(|method| Some((method, lower.find(&format!("using {method}"))?)))?;
    let from = from + lower[from..].find("with")?;
    let options = lower[from..].strip_prefix("with")?.trim_start();
    let to =
        lower.len() - options.strip_prefix('(').and_then(|rest| Some(rest.len() - rest.find(')')? - 1))?;
    let plain = format!("{}{}", &statement[..from], &statement[to..]);
    let condition = format!(
        "exists (select from pg_catalog.pg_am where amname = '{method}' and amhandler = 'pg_catalog.hashhandler'::regproc)"
    );
    Some(block(&condition, &format!("execute {}", quoted(&plain)), statement))
}

/// A scan of a text, or of the body of a function in it.
struct Scan<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    /// The first words of the current statement.
    words: Vec<(usize, &'a str)>,
    /// The previous token.
    previous: &'a str,
}

impl<'a> Scan<'a> {
    fn run(mut self, into: &mut Rewrite<'a>) {
        while let Some(char) = self.rest().chars().next() {
            match char {
                '\'' => self.string(),
                '"' => {
                    let name = self.until('"');
                    self.note(name);
                }
                '-' if self.rest().starts_with("--") => self.skip(self.rest().find('\n')),
                '/' if self.rest().starts_with("/*") => self.comment(),
                '$' => self.dollar(into),
                ';' => {
                    into.statement(&self.words, self.at);
                    self.words.clear();
                    self.token(1);
                }
                char if char.is_alphabetic() || char == '_' => {
                    let word = self.name();
                    let at = self.note(word);
                    let next = self.rest().trim_start().chars().next();
                    into.word(at, word, self.previous, next);
                    self.previous = word;
                }
                char if char.is_whitespace() => self.at += char.len_utf8(),
                char if char.is_ascii_digit() => {
                    // No keyword starts after a number, despite `1current_date`.
                    let length =
                        self.rest().find(|c: char| !c.is_alphanumeric()).unwrap_or(self.rest().len());
                    self.token(length);
                }
                char => self.token(char.len_utf8()),
            }
        }
        into.statement(&self.words, self.end);
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..self.end]
    }

    /// Skips `length` bytes, or to the end if there are fewer.
    fn skip(&mut self, length: Option<usize>) {
        self.at = length.map_or(self.end, |length| self.at + length);
    }

    fn token(&mut self, length: usize) {
        self.previous = &self.rest()[..length];
        self.at += length;
    }

    fn name(&self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
        &rest[..end.unwrap_or(rest.len())]
    }

    /// Skips a word, and records it if it is one of the first.
    fn note(&mut self, word: &'a str) -> usize {
        let at = self.at;
        if self.words.len() < 5 {
            self.words.push((at, word));
        }
        self.at += word.len();
        at
    }

    /// The text between two `quote`s (doubled ones are part of it), with the quotes.
    fn until(&self, quote: char) -> &'a str {
        let rest = self.rest();
        let mut from = 1;
        while let Some(at) = rest[from..].find(quote) {
            from += at + 1;
            if !rest[from..].starts_with(quote) {
                return &rest[..from];
            }
            from += 1;
        }
        rest
    }

    fn string(&mut self) {
        if !self.previous.eq_ignore_ascii_case("e") {
            return self.token(self.until('\'').len());
        }
        let rest = self.rest();
        let (mut escaped, mut end) = (false, rest.len());
        for (at, char) in rest.char_indices().skip(1) {
            if char == '\'' && !escaped {
                end = at + 1;
                break;
            }
            escaped = char == '\\' && !escaped;
        }
        self.token(end);
    }

    /// Comments nest.
    fn comment(&mut self) {
        let mut depth = 0;
        loop {
            let rest = self.rest();
            let step = if rest.starts_with("/*") {
                depth += 1;
                2
            } else if rest.starts_with("*/") {
                depth -= 1;
                2
            } else {
                rest.chars().next().map_or(0, char::len_utf8)
            };
            self.at += step;
            if depth == 0 || step == 0 {
                return;
            }
        }
    }

    /// Skips a dollar-quoted text; the body of a function is scanned like the rest.
    fn dollar(&mut self, into: &mut Rewrite<'a>) {
        let rest = self.rest();
        let tag = rest[1..].find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let Some(tag) = tag.filter(|tag| rest[1 + tag..].starts_with('$')).map(|tag| &rest[..tag + 2]) else {
            return self.token(1);
        };
        let body = self.at + tag.len();
        let length = self.text[body..self.end].find(tag).unwrap_or(self.end - body);
        if self.is_code() {
            let mut inside = Rewrite::default();
            let scan =
                Scan { text: self.text, at: body, end: body + length, words: Vec::new(), previous: "" };
            scan.run(&mut inside);
            into.edits.append(&mut inside.edits);
        }
        self.previous = "$";
        self.at = (body + length + tag.len()).min(self.end);
    }

    fn is_code(&self) -> bool {
        self.words.iter().enumerate().any(|(index, (_, word))| {
            let first = index == 0 && word.eq_ignore_ascii_case("do");
            first || ["function", "procedure"].iter().any(|one| word.eq_ignore_ascii_case(one))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_of_the_clock_become_calls() {
        for (text, expected) in [
            ("select current_timestamp", r#"select "current_timestamp"()"#),
            ("select Current_Date - 1", r#"select "current_date"() - 1"#),
            ("select localtimestamp (3), localtime", r#"select "localtimestamp" (3), "localtime"()"#),
            ("select 'current_date', E'\\'current_date'", "select 'current_date', E'\\'current_date'"),
            (r#"select "current_date", 1 as current_date"#, r#"select "current_date", 1 as current_date"#),
            (
                "select 1 -- current_date\n/* /* */ current_date */",
                "select 1 -- current_date\n/* /* */ current_date */",
            ),
            (
                "select $$current_date$$, $a$ it's $$ $a$, current_date",
                r#"select $$current_date$$, $a$ it's $$ $a$, "current_date"()"#,
            ),
            (
                "create function f() returns date language sql as $f$ select current_date -- it's\n $f$",
                "create function f() returns date language sql as $f$ select \"current_date\"() -- it's\n $f$",
            ),
            ("do $$ begin perform current_time; end $$", r#"do $$ begin perform "current_time"(); end $$"#),
            ("select 'open current_date", "select 'open current_date"),
            ("select $1, 2current_date, ü", "select $1, 2current_date, ü"),
            ("select /* current_date", "select /* current_date"),
        ] {
            let rewrite = Rewrite::of(text, true);
            assert_eq!(rewrite.print(), expected, "{text}");
            assert_eq!(Rewrite::of(text, false).print(), text);
        }
    }

    #[test]
    fn places_of_errors_are_those_of_the_text_as_it_came() {
        let text = "select current_date, current_date, oops";
        let rewrite = Rewrite::of(text, true);
        let printed = rewrite.print();
        for word in ["select", "oops"] {
            let place = printed.find(word).expect("it is there");
            assert_eq!(Some(rewrite.came_from(place)), text.find(word));
        }
        assert_eq!(rewrite.came_from(printed.len()), text.len());
    }

    #[test]
    fn texts_that_may_commit_are_recognized() {
        for (text, expected) in [
            ("insert into t values (1); select 1 / 0", false),
            ("select case when true then 1 end", false),
            ("insert into t values (1); commit; select 1 / 0", true),
            ("create unique index concurrently i on t (a)", true),
            ("call p()", true),
            ("do $$ begin commit; end $$", true),
            ("begin; insert into t values (1); end", true),
        ] {
            assert_eq!(Rewrite::of(text, true).may_commit, expected, "{text}");
        }
    }

    #[test]
    fn a_role_that_is_there_is_changed_instead_of_created() {
        let text =
            r#"select 1; create role Reader nologin; CREATE USER "Some ""one"; create user mapping for x"#;
        let mut rewrite = Rewrite::of(text, true);
        let roles = rewrite.roles.clone();
        let names: Vec<&str> = roles.iter().map(|role| role.name.as_str()).collect();
        assert_eq!(names, ["reader", "Some \"one"]);
        rewrite.alter(&roles[0]);
        let changed = text.replace("create role Reader", "alter  role Reader");
        assert_eq!(rewrite.print(), changed);
    }

    #[test]
    fn statements_of_the_owner_are_run_by_a_function() {
        let create = "create extension if not exists vector";
        let printed = Rewrite::of(&format!("select 1; {create} ; select 2"), true).print();
        let call = format!("perform pg_catalog.stuntdouble_on_behalf({})", quoted(create));
        assert!(
            printed.starts_with("select 1; do 'begin if ") && printed.ends_with("' ; select 2"),
            "{printed}"
        );
        assert!(printed.replace("''", "'").contains(&call), "{printed}");
        for text in [
            "alter role a with login",
            "alter table a set (b = 1)",
            "drop extension a",
            "select 'create extension a'",
        ] {
            assert_eq!(Rewrite::of(text, true).print(), text);
            assert_eq!(rewritten_for_connection(text), None, "{text}");
        }
        assert!(
            rewritten_for_connection("create role a").is_some_and(|text| text.contains("create_role(''a''"))
        );
        assert!(rewritten_for_connection("ALTER ROLE a SET b.c = 'd'; select current_date").is_some());
    }

    #[test]
    fn options_of_vector_indexes_are_left_out_where_no_method_knows_them() {
        let text = "create index i on t using HNSW (v vector_l2_ops) with (m = 16) where a > 1";
        let printed = Rewrite::of(text, true).print();
        assert!(
            printed.contains("execute ''create index i on t using HNSW (v vector_l2_ops)  where a > 1''"),
            "{printed}"
        );
        assert!(printed.contains(&format!("else execute ''{text}''")), "{printed}");
        let plain = "create index i on t using hnsw (v vector_l2_ops)";
        assert_eq!(Rewrite::of(plain, true).print(), plain);
    }

    #[test]
    fn roles_are_created_by_a_function_of_the_servers_owner() {
        let text = "select 1; create role Reader with nologin ; create user \"it's\" with password 'x'";
        let mut rewrite = Rewrite::of(text, true);
        let roles = rewrite.roles.clone();
        rewrite.create(&roles[1], false);
        rewrite.create(&roles[0], true);
        let created =
            "begin perform pg_catalog.stuntdouble_create_role('it''s', 'login password ''x'''); end";
        assert_eq!(rewrite.print(), format!("select 1; do 'begin end'; do {}", quoted(created)));
    }
}
