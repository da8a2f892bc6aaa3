//! What the catalog keeps of a function, a procedure or an aggregate.

use serde::{Deserialize, Serialize};
use sqlparser::tokenizer::TokenWithSpan;

use super::{Acl, Oid, Type, has_word};
use crate::source::is_word;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Routine {
    pub(crate) schema: Oid,
    pub(crate) name: String,
    pub(crate) procedure: bool,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) returns: Type,
    pub(crate) returns_set: bool,
    pub(crate) language: String,
    pub(crate) body: String,
    pub(crate) volatility: char,
    pub(crate) strict: bool,
    pub(crate) security_definer: bool,
    pub(crate) settings: Vec<String>,
    pub(crate) comment: Option<String>,
    #[serde(default)]
    pub(crate) acl: Acl,
    #[serde(default)]
    pub(crate) owner: String,
    /// What it says about its use in parallel queries: `u` unsafe, `r` restricted, `s` safe.
    #[serde(default = "unsafe_in_parallel")]
    pub(crate) parallel: char,
    #[serde(default)]
    pub(crate) leakproof: bool,
    /// What a planner would reckon with, if it says so.
    #[serde(default)]
    pub(crate) cost: Option<f64>,
    #[serde(default)]
    pub(crate) rows: Option<f64>,
    /// How it is computed, if it is an aggregate.
    #[serde(default)]
    pub(crate) aggregation: Option<Aggregation>,
    /// What its names mean, if its body is one of SQL's own form.
    #[serde(default)]
    pub(crate) settled: Option<Box<Settled>>,
}

/// A body of SQL's own form, whose names mean what they meant when the function was created.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settled {
    /// Whether it is `RETURN` and an expression.
    pub(crate) returned: bool,
    /// The search path of that moment.
    pub(crate) path: String,
    /// The relations that it names.
    pub(crate) reads: Vec<Oid>,
}

fn unsafe_in_parallel() -> char {
    'u'
}

/// How an aggregate of a project is computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Aggregation {
    /// Makes the next state of the state and the arguments of a row.
    pub(crate) step: Part,
    /// The type of the state.
    pub(crate) state: Type,
    /// The first state, as text.
    pub(crate) initial: Option<String>,
    /// Makes the result of the last state.
    pub(crate) finish: Option<Part>,
    /// Whether `finish` also takes arguments of the types of the aggregate's, which are null.
    pub(crate) finish_extra: bool,
}

/// A function that an aggregate calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Part {
    /// Its name with its schema, quoted.
    pub(crate) name: String,
    /// The function, if it is one of the project.
    pub(crate) routine: Option<Oid>,
    /// Whether it returns null if an argument is null.
    pub(crate) strict: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Argument {
    pub(crate) name: Option<String>,
    pub(crate) type_: Type,
    /// `i` in, `o` out, `b` both, `v` variadic, `t` column of the returned table.
    pub(crate) mode: char,
    pub(crate) default: Option<String>,
}

impl Argument {
    pub(crate) fn is_input(&self) -> bool {
        matches!(self.mode, 'i' | 'b' | 'v')
    }

    /// The name of its column in the result, of which it is the one with this number.
    pub(crate) fn result_name(&self, number: usize) -> String {
        self.name.clone().unwrap_or_else(|| format!("column{number}"))
    }
}

impl Routine {
    /// A function without arguments, that returns nothing.
    pub(crate) fn new(schema: Oid, name: String, owner: String) -> Routine {
        Routine {
            schema,
            name,
            procedure: false,
            arguments: Vec::new(),
            returns: Type::VOID,
            returns_set: false,
            language: String::new(),
            body: String::new(),
            volatility: 'v',
            strict: false,
            security_definer: false,
            settings: Vec::new(),
            comment: None,
            acl: Acl::default(),
            owner,
            parallel: unsafe_in_parallel(),
            leakproof: false,
            cost: None,
            rows: None,
            aggregation: None,
            settled: None,
        }
    }

    /// The cost of a call, and the number of rows, that a planner would reckon with.
    pub(crate) fn estimates(&self) -> (f64, f64) {
        let rows = if self.returns_set { 1000.0 } else { 0.0 };
        (self.cost.unwrap_or_else(|| self.usual_cost()), self.rows.unwrap_or(rows))
    }

    /// The cost of a function of its language that says nothing of it.
    pub(crate) fn usual_cost(&self) -> f64 {
        if matches!(self.language.as_str(), "c" | "internal") { 1.0 } else { 100.0 }
    }

    /// Whether a block in its body handles errors, and so may undo changes. A function that is not volatile makes none.
    pub(crate) fn handles_errors(&self) -> bool {
        let body = self.body.to_ascii_lowercase();
        let mut exceptions = body.match_indices("exception");
        self.volatility == 'v'
            && self.language == "plpgsql"
            && exceptions.any(|(at, word)| body[at + word.len()..].trim_start().starts_with("when"))
    }

    /// Whether its body has statements that change rows, or that are texts.
    pub(crate) fn changes_rows(&self) -> bool {
        let body = self.body.to_ascii_lowercase();
        let changes = ["insert", "update", "delete", "merge", "truncate", "execute", "copy"];
        self.volatility == 'v'
            && matches!(&*self.language, "sql" | "plpgsql")
            && changes.iter().any(|word| has_word(&body, word))
    }

    /// Whether its body asks for its callers.
    pub(crate) fn asks_for_callers(&self) -> bool {
        self.body.to_ascii_lowercase().contains("pg_context")
    }

    /// Whether PostgreSQL calls a function in SQL whose body is this query, rather than to put the query in the place of the call.
    pub(crate) fn is_caller(&self, query: &[TokenWithSpan]) -> bool {
        let is_replaced = match self.returns_set {
            true => self.volatility != 'v',
            false => {
                let has_from = query.iter().any(|token| is_word(token, "from"));
                self.volatility == 'v' && is_word(&query[0], "select") && !has_from
            }
        };
        self.security_definer || !self.settings.is_empty() || !is_replaced
    }

    /// What messages call it.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Routine { procedure: true, .. } => "procedure",
            Routine { aggregation: Some(_), .. } => "aggregate",
            _ => "function",
        }
    }

    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Argument> {
        self.arguments.iter().filter(|argument| argument.is_input())
    }

    /// The search path by which the names in its body are found, if it has one.
    pub(crate) fn path_of_names(&self) -> Option<&str> {
        self.settled.as_ref().map(|settled| settled.path.as_str()).or_else(|| self.search_path())
    }

    /// The search path that it sets, as written.
    pub(crate) fn search_path(&self) -> Option<&str> {
        self.settings.iter().find_map(|setting| {
            setting
                .split_once(" TO ")
                .filter(|(name, _)| name.eq_ignore_ascii_case("search_path"))
                .map(|(_, value)| value)
        })
    }
}
