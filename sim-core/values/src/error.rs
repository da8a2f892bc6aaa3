//! Refusals in PostgreSQL's wording, in the format of the service's SQL endpoint.

use std::fmt;
use std::ops::Deref;

/// Separates the parts of an error on its way through SQLite, which carries only a message.
const SEPARATOR: char = '\u{1f}';

/// The five characters by which programs distinguish errors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SqlState([u8; 5]);

impl SqlState {
    /// The state spelt `code`.
    ///
    /// # Panics
    ///
    /// When `code` is not five bytes long.
    pub const fn new(code: &str) -> SqlState {
        let bytes = code.as_bytes();
        assert!(bytes.len() == 5, "an SQLSTATE has five characters");
        SqlState([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4]])
    }

    /// The five characters.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("XX000")
    }
}

impl fmt::Debug for SqlState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for SqlState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

macro_rules! states {
    ($($(#[$doc:meta])* $name:ident = $code:literal;)*) => {
        impl SqlState {
            $($(#[$doc])* pub const $name: SqlState = SqlState::new($code);)*
        }
    };
}

states! {
    /// No error.
    SUCCESSFUL_COMPLETION = "00000";
    /// A feature that the engine does not have.
    FEATURE_NOT_SUPPORTED = "0A000";
    /// More than one row where only one is allowed.
    CARDINALITY_VIOLATION = "21000";
    /// A string longer than its type allows.
    STRING_TOO_LONG = "22001";
    /// A number that its type cannot hold.
    OUT_OF_RANGE = "22003";
    /// A date or time that its type cannot hold.
    DATETIME_OVERFLOW = "22008";
    /// A text that is not a date or time.
    INVALID_DATETIME = "22007";
    /// Division by zero.
    DIVISION_BY_ZERO = "22012";
    /// An argument outside its function's domain.
    INVALID_PARAMETER = "22023";
    /// A text that is no value of its type.
    INVALID_TEXT = "22P02";
    /// Null in a column that refuses it.
    NOT_NULL_VIOLATION = "23502";
    /// A foreign key without its row.
    FOREIGN_KEY_VIOLATION = "23503";
    /// A key that another row has.
    UNIQUE_VIOLATION = "23505";
    /// A row that an exclusion constraint refuses beside another one.
    EXCLUSION_VIOLATION = "23P01";
    /// A check that does not hold.
    CHECK_VIOLATION = "23514";
    /// A transaction command where no transaction is.
    NO_ACTIVE_TRANSACTION = "25P01";
    /// A statement in a transaction that has failed.
    FAILED_TRANSACTION = "25P02";
    /// A write in a read-only transaction.
    READ_ONLY = "25006";
    /// An object that others depend on.
    DEPENDENT_OBJECTS = "2BP01";
    /// An unknown schema.
    INVALID_SCHEMA = "3F000";
    /// Not allowed.
    INSUFFICIENT_PRIVILEGE = "42501";
    /// A message that the protocol does not allow.
    PROTOCOL_VIOLATION = "08P01";
    /// Text that is no SQL.
    SYNTAX_ERROR = "42601";
    /// A column that is neither grouped nor aggregated.
    GROUPING_ERROR = "42803";
    /// An expression of the wrong type.
    DATATYPE_MISMATCH = "42804";
    /// An object of the wrong kind.
    WRONG_OBJECT_TYPE = "42809";
    /// A foreign key that names no key.
    INVALID_FOREIGN_KEY = "42830";
    /// A cast that does not exist.
    CANNOT_COERCE = "42846";
    /// A column name that may mean several columns.
    AMBIGUOUS_COLUMN = "42702";
    /// A call that may mean several functions.
    AMBIGUOUS_FUNCTION = "42725";
    /// An unknown column.
    UNDEFINED_COLUMN = "42703";
    /// An unknown function or operator.
    UNDEFINED_FUNCTION = "42883";
    /// An unknown relation.
    UNDEFINED_TABLE = "42P01";
    /// An unknown parameter.
    UNDEFINED_PARAMETER = "42P02";
    /// An unknown type, constraint or other object.
    UNDEFINED_OBJECT = "42704";
    /// A column that exists already.
    DUPLICATE_COLUMN = "42701";
    /// A relation that exists already.
    DUPLICATE_TABLE = "42P07";
    /// A schema that exists already.
    DUPLICATE_SCHEMA = "42P06";
    /// A function that exists already.
    DUPLICATE_FUNCTION = "42723";
    /// Another object that exists already.
    DUPLICATE_OBJECT = "42710";
    /// A table name used twice in one query.
    DUPLICATE_ALIAS = "42712";
    /// A reference to a column or table that is out of reach here.
    INVALID_COLUMN_REFERENCE = "42P10";
    /// A table definition that makes no sense.
    INVALID_TABLE_DEFINITION = "42P16";
    /// A value for a generated column.
    GENERATED_ALWAYS = "428C9";
    /// A type that cannot be told.
    INDETERMINATE_DATATYPE = "42P18";
    /// A recursive query of the wrong shape.
    INVALID_RECURSION = "42P19";
    /// An object that is not in the state that the command needs.
    NOT_IN_PREREQUISITE_STATE = "55000";
    /// More than the engine holds.
    PROGRAM_LIMIT = "54000";
    /// Nesting deeper than the engine reads.
    TOO_COMPLEX = "54001";
    /// The statement took too long.
    QUERY_CANCELED = "57014";
    /// No room for a larger database.
    DISK_FULL = "53100";
    /// Values that take too much memory.
    OUT_OF_MEMORY = "53200";
    /// An object that somebody uses.
    OBJECT_IN_USE = "55006";
    /// A fault of the engine itself.
    INTERNAL = "XX000";
}

/// The result of anything that can be refused.
pub type Result<T> = std::result::Result<T, SqlError>;

/// A refusal. Its fields are those of [`Report`].
#[derive(Clone, PartialEq, Eq)]
pub struct SqlError(Box<Report>);

/// The content of a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The kind of error.
    pub code: SqlState,
    /// The error in one sentence.
    pub message: String,
    /// Further details.
    pub detail: Option<String>,
    /// A suggestion.
    pub hint: Option<String>,
    /// The position in the text, as a byte offset.
    pub position: Option<usize>,
    /// Whether it has no position, as if it came up only when the statement ran.
    pub late: bool,
    /// The statement concerned, if the engine has generated it or found it in a function.
    pub query: Option<String>,
    /// The position in that statement, as a byte offset.
    pub query_position: Option<usize>,
    /// What the engine was doing.
    pub context: Option<String>,
    /// The line of the text in question, once known.
    pub line: Option<Line>,
    /// What the error is about.
    pub about: About,
}

/// The names of what an error is about. Drivers show them as fields of their errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// The schema of the table or type.
    pub schema: Option<String>,
    /// The table.
    pub table: Option<String>,
    /// The column.
    pub column: Option<String>,
    /// The type.
    pub data_type: Option<String>,
    /// The constraint.
    pub constraint: Option<String>,
}

impl About {
    /// The names, each with the letter of its field in PostgreSQL's protocol.
    pub fn fields(&self) -> [(u8, &Option<String>); 5] {
        let About { schema, table, column, data_type, constraint } = self;
        [(b's', schema), (b't', table), (b'c', column), (b'd', data_type), (b'n', constraint)]
    }

    /// Sets the name whose field has that letter. Other letters have no effect: the protocol has further fields.
    pub fn set(&mut self, letter: u8, name: String) {
        let field = match letter {
            b's' => &mut self.schema,
            b't' => &mut self.table,
            b'c' => &mut self.column,
            b'd' => &mut self.data_type,
            b'n' => &mut self.constraint,
            _ => return,
        };
        *field = Some(name);
    }
}

/// A line of the text, and the position of the error in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Counted from one.
    pub number: usize,
    /// The line itself.
    pub text: String,
    /// Characters before the position.
    pub column: usize,
}

impl Line {
    fn at(text: &str, position: usize) -> Line {
        let before = text.get(..position).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Line {
            number: before.matches('\n').count() + 1,
            text: text[start..].lines().next().unwrap_or("").to_owned(),
            column: before[start..].chars().count(),
        }
    }
}

impl SqlError {
    /// An error of `code`.
    pub fn new(code: SqlState, message: impl Into<String>) -> SqlError {
        SqlError(Box::new(Report {
            code,
            message: message.into(),
            detail: None,
            hint: None,
            position: None,
            late: false,
            query: None,
            query_position: None,
            context: None,
            line: None,
            about: About::default(),
        }))
    }

    /// The refusal of a construct that PostgreSQL knows and this engine does not.
    pub fn unsupported(construct: impl fmt::Display) -> SqlError {
        SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, format!("{construct} is not supported"))
    }

    /// Whether this is the refusal of a construct that PostgreSQL knows.
    pub fn is_unsupported(&self) -> bool {
        self.code == SqlState::FEATURE_NOT_SUPPORTED && self.message.ends_with("not supported")
    }

    /// The same with a detail.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> SqlError {
        self.0.detail = Some(detail.into());
        self
    }

    /// The same without a detail.
    #[must_use]
    pub fn without_detail(mut self) -> SqlError {
        self.0.detail = None;
        self
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> SqlError {
        self.0.hint = Some(hint.into());
        self
    }

    /// The same of a table, and of the column or constraint that the message names.
    #[must_use]
    pub fn of_table(mut self, schema: &str, table: &str) -> SqlError {
        let mut named = self.message.split('"').skip(1).step_by(2).map(str::to_owned);
        let (column, constraint) = match self.code {
            SqlState::NOT_NULL_VIOLATION => (named.next(), None),
            SqlState::UNIQUE_VIOLATION | SqlState::EXCLUSION_VIOLATION => (None, named.next()),
            SqlState::CHECK_VIOLATION | SqlState::FOREIGN_KEY_VIOLATION => (None, named.nth(1)),
            _ => (None, None),
        };
        let (schema, table) = (Some(schema.to_owned()), Some(table.to_owned()));
        self.0.about = About { schema, table, column, data_type: None, constraint };
        self
    }

    /// The same about something.
    #[must_use]
    pub fn about(mut self, about: About) -> SqlError {
        self.0.about = about;
        self
    }

    /// The same at a byte of the text, unless it already has a position.
    #[must_use]
    pub fn at(mut self, position: impl Into<Option<usize>>) -> SqlError {
        if !self.late {
            self.0.position = self.0.position.or(position.into());
        }
        self
    }

    /// The same without a position for good, as if it came up only when the statement ran.
    #[must_use]
    pub fn late(mut self) -> SqlError {
        (self.0.position, self.0.late) = (None, true);
        self
    }

    /// The same without a position.
    #[must_use]
    pub fn nowhere(mut self) -> SqlError {
        self.0.position = None;
        self
    }

    /// The same with what the engine was doing, unless that is known.
    #[must_use]
    pub fn within(mut self, context: &str) -> SqlError {
        self.0.context.get_or_insert_with(|| context.to_owned());
        self
    }

    /// The same with one more line about what the engine was doing around that.
    #[must_use]
    pub fn inside(mut self, context: &str) -> SqlError {
        match &mut self.0.context {
            Some(known) => *known = format!("{known}\n{context}"),
            None => self.0.context = Some(context.to_owned()),
        }
        self
    }

    /// The same with its context changed.
    #[must_use]
    pub fn with_context(mut self, change: impl FnOnce(String) -> String) -> SqlError {
        self.0.context = self.0.context.take().map(change).filter(|context| !context.is_empty());
        self
    }

    /// The same at a byte of a statement that is not in the client's text.
    #[must_use]
    pub fn in_query(mut self, query: &str, position: usize) -> SqlError {
        self.0.position = None;
        self.0.query = Some(query.to_owned());
        self.0.query_position = Some(position);
        // The service shows lines of the client's text alone.
        self.0.line = None;
        self
    }

    /// The same with the line of `text` at its position.
    #[must_use]
    pub fn in_text(mut self, text: &str) -> SqlError {
        if let Some(position) = self.0.position {
            self.0.line = Some(Line::at(text, position));
        }
        self
    }

    /// The text that carries the error through SQLite.
    pub fn encode(&self) -> String {
        let about = self.about.fields().map(|(_, name)| name);
        let place = self.query_position.map(|place| place.to_string());
        let parts = [&self.detail, &self.hint].into_iter().chain(about);
        let parts = parts.chain([&self.context, &self.query, &place]);
        let parts = parts.map(|part| part.as_deref().unwrap_or(""));
        let parts: Vec<&str> = std::iter::once(&*self.message).chain(parts).collect();
        format!("{SEPARATOR}{}{SEPARATOR}{}", self.code, parts.join(&SEPARATOR.to_string()))
    }

    /// Reads what [`SqlError::encode`] wrote; `None` for SQLite's own messages.
    pub fn decode(text: &str) -> Option<SqlError> {
        let mut parts = text.strip_prefix(SEPARATOR)?.split(SEPARATOR);
        let code = parts.next().filter(|code| code.len() == 5)?;
        let mut error = SqlError::new(SqlState::new(code), parts.next()?);
        error.0.detail = parts.next().filter(|detail| !detail.is_empty()).map(str::to_owned);
        error.0.hint = parts.next().filter(|hint| !hint.is_empty()).map(str::to_owned);
        for (letter, _) in About::default().fields() {
            if let Some(name) = parts.next().filter(|name| !name.is_empty()) {
                error.0.about.set(letter, name.to_owned());
            }
        }
        error.0.context = parts.next().filter(|context| !context.is_empty()).map(str::to_owned);
        Some(match (parts.next(), parts.next().and_then(|place| place.parse().ok())) {
            (Some(query), Some(place)) => error.in_query(query, place),
            _ => error,
        })
    }
}

impl From<Report> for SqlError {
    fn from(report: Report) -> SqlError {
        SqlError(Box::new(report))
    }
}

impl Deref for SqlError {
    type Target = Report;

    fn deref(&self) -> &Report {
        &self.0
    }
}

impl fmt::Debug for SqlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for SqlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "ERROR:  {}: {}", self.code, self.message)?;
        if let Some(Line { number, text, column }) = &self.line {
            let start = format!("LINE {number}: ");
            writeln!(f, "{start}{text}\n{}^", " ".repeat(start.len() + column))?;
        }
        let parts = [
            ("DETAIL", &self.detail),
            ("HINT", &self.hint),
            ("QUERY", &self.query),
            ("CONTEXT", &self.context),
        ];
        for (title, part) in parts.into_iter().filter_map(|(title, part)| Some((title, part.as_ref()?))) {
            writeln!(f, "{title}:  {part}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SqlError {}

impl From<rusqlite::Error> for SqlError {
    /// Functions' own errors are returned unchanged; SQLite's errors get a state if a statement can cause
    /// them.
    fn from(error: rusqlite::Error) -> SqlError {
        use rusqlite::ErrorCode;
        if let Some(own) = message_of(&error).and_then(SqlError::decode) {
            return own;
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => {
                SqlError::new(SqlState::QUERY_CANCELED, "canceling statement due to statement timeout")
            }
            Some(ErrorCode::TooBig) => SqlError::new(SqlState::PROGRAM_LIMIT, "value is too long"),
            Some(ErrorCode::OutOfMemory) => SqlError::new(SqlState::OUT_OF_MEMORY, "out of memory"),
            Some(ErrorCode::DiskFull) => {
                SqlError::new(SqlState::DISK_FULL, "could not extend file: No space left on device")
                    .hint("Check free disk space.")
            }
            _ if message_of(&error).is_some_and(is_too_deep) => {
                SqlError::new(SqlState::TOO_COMPLEX, "stack depth limit exceeded")
            }
            _ => match message_of(&error).and_then(wrong_size) {
                Some((code, message)) => SqlError::new(SqlState::new(code), message),
                None => SqlError::new(SqlState::INTERNAL, error.to_string()),
            },
        }
    }
}

/// PostgreSQL's words for the size of a frame, or the argument of a window function, that is known when the query runs.
fn wrong_size(message: &str) -> Option<(&'static str, String)> {
    match message {
        "argument of ntile must be a positive integer" => {
            return Some(("22014", "argument of ntile must be greater than zero".to_owned()));
        }
        "second argument to nth_value must be a positive integer" => {
            return Some(("22016", "argument of nth_value must be greater than zero".to_owned()));
        }
        _ => {}
    }
    let (which, what) = message.strip_prefix("frame ")?.split_once(' ')?;
    (what == "offset must be a non-negative integer")
        .then(|| ("22013", format!("frame {which} offset must not be negative")))
}

/// Whether SQLite says that a statement, or what its triggers do, nests deeper than it can go.
fn is_too_deep(message: &str) -> bool {
    const TOO_DEEP: [&str; 6] = [
        "Expression tree is too large",
        "Recursion limit",
        "parser stack overflow",
        "triggers nested too deep",
        "too many levels of trigger recursion",
        "too many terms in compound SELECT",
    ];
    TOO_DEEP.iter().any(|known| message.contains(known))
}

fn message_of(error: &rusqlite::Error) -> Option<&str> {
    match error {
        rusqlite::Error::SqliteFailure(_, message) => message.as_deref(),
        rusqlite::Error::SqlInputError { msg, .. } => Some(msg),
        _ => None,
    }
}

/// 22012
pub fn division_by_zero() -> SqlError {
    SqlError::new(SqlState::DIVISION_BY_ZERO, "division by zero")
}
