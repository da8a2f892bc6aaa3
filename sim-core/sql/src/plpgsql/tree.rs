//! A body in PL/pgSQL as a tree. Queries and expressions in it stay tokens, which are bound when they run.

use std::rc::Rc;

use sqlparser::tokenizer::{Location, TokenWithSpan};

use crate::bind::Step as Part;
use crate::source::Source;

/// The parsed body of a function, a procedure or a `DO` statement.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) source: Rc<Source>,
    pub(crate) block: Block,
    pub(crate) conflict: Conflict,
}

/// The meaning of a name that is a variable and also a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Conflict {
    #[default]
    Error,
    Variable,
    Column,
}

/// A part of the text that the engine runs: an expression after `SELECT`, or a statement.
#[derive(Debug)]
pub(crate) struct Fragment {
    /// The place of its first token, which identifies it in its body.
    pub(crate) at: usize,
    pub(crate) tokens: Vec<TokenWithSpan>,
    pub(crate) kind: Kind,
}

impl Fragment {
    /// Where its text begins in that of the body.
    pub(crate) fn start(&self, source: &Source) -> Option<usize> {
        match self.kind {
            Kind::Assignment(start) => source.offset(start),
            _ => self.tokens.iter().find_map(|token| source.offset(token.span.start)),
        }
    }
}

/// What a fragment is, in the context of its errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Expression,
    /// The value of an assignment that begins here.
    Assignment(Location),
    Statement,
    /// The query of a loop or a cursor. Its rows are fetched without a statement.
    Rows,
    /// A statement with `PERFORM` in place of its `SELECT`.
    Perform,
}

#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) label: Option<String>,
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) steps: Vec<Placed>,
    pub(crate) handlers: Vec<Handler>,
}

#[derive(Debug)]
pub(crate) struct Handler {
    pub(crate) conditions: Vec<Condition>,
    pub(crate) steps: Vec<Placed>,
}

/// What a handler catches.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Others,
    /// Any of these SQLSTATEs. One that ends in three zeros stands for its class.
    States(Vec<String>),
}

#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) declared: Declared,
}

#[derive(Debug)]
pub(crate) enum Declared {
    Variable {
        type_: TypeName,
        constant: bool,
        not_null: bool,
        default: Option<Fragment>,
    },
    /// Another name for a variable.
    Alias(String),
    Cursor {
        arguments: Vec<(String, TypeName)>,
        query: Fragment,
        /// `SCROLL` or `NO SCROLL`.
        scrolls: Option<bool>,
    },
}

/// The type of a variable, as written.
#[derive(Debug)]
pub(crate) enum TypeName {
    Written(Vec<TokenWithSpan>),
    /// `name%TYPE`, and the place of the sign.
    Like(Vec<String>, Option<usize>),
    /// `table%ROWTYPE`
    RowOf(Vec<String>),
    Record,
}

/// A variable to assign to.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) names: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Receivers {
    pub(crate) strict: bool,
    pub(crate) targets: Vec<Target>,
}

/// A text to run, with the values for `$1`, `$2` ….
#[derive(Debug)]
pub(crate) struct Dynamic {
    pub(crate) text: Fragment,
    pub(crate) using: Vec<Fragment>,
}

/// A statement of a body, and its line.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) line: usize,
    pub(crate) step: Step,
}

/// A statement of a body.
#[derive(Debug)]
pub(crate) enum Step {
    Null,
    Block(Block),
    Assign {
        target: Target,
        /// What follows the names: `[1].field`.
        parts: Vec<Part>,
        value: Fragment,
    },
    Sql {
        statement: Fragment,
        into: Option<Receivers>,
    },
    Perform(Fragment),
    Execute {
        dynamic: Dynamic,
        into: Option<Receivers>,
    },
    If {
        branches: Vec<(Fragment, Vec<Placed>)>,
        otherwise: Vec<Placed>,
    },
    /// The `CASE` statement. Without an `ELSE` a value must have a branch.
    Case {
        branches: Vec<(Fragment, Vec<Placed>)>,
        otherwise: Option<Vec<Placed>>,
    },
    Loop {
        label: Option<String>,
        over: Over,
        steps: Vec<Placed>,
    },
    /// `EXIT` and `CONTINUE`.
    Leave {
        label: Option<String>,
        condition: Option<Fragment>,
        next: bool,
    },
    Return(Option<Fragment>),
    ReturnNext(Option<Fragment>),
    ReturnQuery(Fragment),
    ReturnExecute(Dynamic),
    Raise(Raise),
    Assert {
        condition: Fragment,
        message: Option<Fragment>,
    },
    /// `GET DIAGNOSTICS`; of the handled error if `stacked`.
    Diagnostics {
        stacked: bool,
        items: Vec<(Target, String)>,
    },
    Open {
        cursor: String,
        query: Opened,
        scrolls: Option<bool>,
    },
    /// `FETCH`, and `MOVE` without targets.
    Fetch {
        cursor: String,
        going: Going,
        into: Option<Vec<Target>>,
    },
    Close(String),
    /// `COMMIT` and `ROLLBACK`.
    Transaction(&'static str),
}

/// What a loop is over.
#[derive(Debug)]
pub(crate) enum Over {
    Forever,
    While(Fragment),
    Integers { variable: String, from: Fragment, to: Fragment, by: Option<Fragment>, reverse: bool },
    Query { targets: Vec<Target>, query: Fragment },
    Execute { targets: Vec<Target>, dynamic: Dynamic },
    Cursor { variable: String, cursor: String, arguments: Vec<Argument> },
    Array { targets: Vec<Target>, slice: usize, array: Fragment },
}

/// A value for an argument of a cursor, with the name of that if it is given.
pub(crate) type Argument = (Option<String>, Fragment);

/// The query of a cursor that is opened.
#[derive(Debug)]
pub(crate) enum Opened {
    Bound(Vec<Argument>),
    Query(Fragment),
    Execute(Dynamic),
}

/// Where `FETCH` and `MOVE` go.
#[derive(Debug)]
pub(crate) struct Going {
    pub(crate) backward: bool,
    /// `absolute` or `relative`, unless it is the next or the prior rows.
    pub(crate) from: Option<&'static str>,
    pub(crate) steps: Steps,
}

/// How far.
#[derive(Debug)]
pub(crate) enum Steps {
    All,
    These(i64),
    Computed(Fragment),
}

#[derive(Debug)]
pub(crate) struct Raise {
    /// The level of a message; `None`: an error.
    pub(crate) level: Option<&'static str>,
    pub(crate) format: Option<String>,
    pub(crate) arguments: Vec<Fragment>,
    /// The name of a condition and its SQLSTATE.
    pub(crate) condition: Option<(String, String)>,
    pub(crate) options: Vec<(RaiseOption, Fragment)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RaiseOption {
    Code,
    Message,
    Detail,
    Hint,
    /// A name of what the error is about, by the letter of its field.
    About(u8),
}

impl RaiseOption {
    /// Its word in errors.
    pub(crate) fn name(self) -> &'static str {
        match self {
            RaiseOption::Code => "ERRCODE",
            RaiseOption::Message => "MESSAGE",
            RaiseOption::Detail => "DETAIL",
            RaiseOption::Hint => "HINT",
            RaiseOption::About(b'c') => "COLUMN",
            RaiseOption::About(b'n') => "CONSTRAINT",
            RaiseOption::About(b'd') => "DATATYPE",
            RaiseOption::About(b't') => "TABLE",
            RaiseOption::About(_) => "SCHEMA",
        }
    }
}
