//! Random calls: valid ones, boundary cases and invalid ones, by every kind of caller, with time in between.
//!
//! - [`any_call_of`]: typed calls of one operation, about things of a scene;
//! - [`any_ask_of`]: the same as requests, by any caller, some of them malformed;
//! - [`any_fault`]: fault rules with the usual effects;
//! - [`histories`]: whole histories from a [`Menu`]; every step is valid after the steps before it.
//!
//! A call of a history is drawn before the world has answered earlier calls. So it names things by their
//! order of creation: `{project 0}` is the first project. [`Names`] knows the names that the world chose. The
//! row of an operation in the [`model`] says what is drawn for it.

mod dice;
#[cfg(feature = "proptest")]
mod faulty;
#[cfg(feature = "proptest")]
mod generated;
mod menu;
mod names;
mod wrong;

use std::fmt;
use std::time::Duration;

use http::Method;
use serde_json::Value;
use sim_core::engine::{File, MULTIPART, Meta, multipart_of};

use crate::api::{Call, Sender};
use crate::model::{self, Model, Rule};

pub use dice::Dice;
#[cfg(feature = "proptest")]
pub use faulty::{any_effect, any_fault, any_fault_of, any_faults};
#[cfg(feature = "proptest")]
pub use generated::{answers_like, any_ask_of, any_call_of, histories};
pub use menu::Menu;
pub use names::Names;
pub use wrong::{MAX_BODY_BYTES, Wrong, wrongs};

/// A text constant of the program.
pub(crate) type Text = &'static str;

/// One step of a history.
#[derive(Clone)]
pub enum Step {
    /// Time passes.
    Wait(Duration),
    /// A call.
    Ask(Box<Ask>),
}

/// One line each, so that a failing history is readable.
impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Wait(length) => f.write_str(&format!("wait {length:?}")),
            Step::Ask(ask) => {
                let but = ask.wrong.as_ref().map_or_else(String::new, |wrong| format!(" but {wrong:?}"));
                f.write_str(&format!("{:?}: {:?}{but}", ask.who, ask.what))
            }
        }
    }
}

/// A call, in terms of what was created before it.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Who calls.
    pub who: Who,
    /// What it calls.
    pub what: What,
    /// What is wrong with the request's form, if anything.
    pub wrong: Option<Wrong>,
}

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Without a token.
    Nobody,
    /// With an unknown token.
    Stranger,
    /// With the token of that number, from 0.
    Token(usize),
}

/// The content of a call: an operation and the values of a request to it. Things are named by `{kind
/// number}`.
#[derive(Clone)]
pub struct What {
    pub(crate) rule: &'static Rule,
    /// Values of the path's parameters.
    pub(crate) path: Vec<(Text, String)>,
    pub(crate) query: Vec<(Text, String)>,
    pub(crate) headers: Vec<(Text, Text)>,
    /// The fields of the body, in any encoding; `null` for no body.
    pub(crate) body: Value,
    pub(crate) shape: Shape,
}

/// The encoding of a body's fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Json,
    /// A form instead of a JSON object.
    Form,
    /// A part named `metadata`, and a file for each pair of path and text in `file`.
    Multipart,
    /// The text in `body` as bytes of no particular type.
    Bytes,
}

impl fmt::Debug for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.rule.meta.method.as_str(), self.target(&Names::as_they_are(), None, None))?;
        if !self.body.is_null() {
            write!(f, " {}", self.body)?;
        }
        Ok(())
    }
}

impl What {
    pub(crate) fn of(rule: &'static Rule) -> What {
        let (path, query, headers) = (Vec::new(), Vec::new(), Vec::new());
        What { rule, path, query, headers, body: Value::Null, shape: Shape::Json }
    }

    /// One valid call of each operation, in the order of the model's rules. All are about the first thing of
    /// each kind; a call that creates something creates a second one.
    pub fn one_of_each() -> Vec<What> {
        let model = Model::begun(model::Start::plain());
        model::rules().map(|rule| rule.draw(&mut Dice::plain(), &model)).collect()
    }

    /// The operation's declaration.
    pub fn meta(&self) -> Meta {
        self.rule.meta
    }

    /// The lowest role that the operation needs in the organization concerned; `anyone` if it needs none.
    pub fn least_role(&self) -> &'static str {
        if self.rule.role.is_empty() { "anyone" } else { self.rule.role }
    }

    /// The scope that an app needs for it, if an app may call it at all.
    pub fn scope(&self) -> Option<&'static str> {
        Some(self.rule.scope).filter(|scope| !scope.is_empty())
    }

    /// The fields of the body; `null` for no body.
    pub fn body(&self) -> &Value {
        &self.body
    }

    /// The same call with this body.
    #[must_use]
    pub fn with(mut self, body: Value) -> What {
        self.body = body;
        self
    }

    pub(crate) fn shaped(mut self, shape: Shape) -> What {
        self.shape = shape;
        self
    }

    pub(crate) fn at(mut self, name: Text, value: impl Into<String>) -> What {
        self.path.retain(|(other, _)| *other != name);
        self.path.push((name, value.into()));
        self
    }

    pub(crate) fn asking(mut self, name: Text, value: impl Into<String>) -> What {
        self.query.push((name, value.into()));
        self
    }

    /// The value of a path parameter.
    pub(crate) fn part(&self, name: &str) -> &str {
        let found = self.path.iter().find(|(part, _)| *part == name);
        found.map_or("", |(_, value)| value)
    }

    /// The value of a query parameter.
    pub(crate) fn asked(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(asked, _)| *asked == name).map(|(_, value)| value.as_str())
    }

    fn target(&self, names: &Names, spoilt: Option<(&str, &str)>, query: Option<&str>) -> String {
        let mut target = self.rule.meta.path.to_owned();
        for name in self.rule.meta.path_names() {
            let value = match spoilt {
                Some((part, wrong)) if part == name => wrong.to_owned(),
                _ => names.fill_path(self.part(name)),
            };
            target = target.replace(&format!("{{{name}}}"), &value);
        }
        let pairs = self.query.iter().map(|(name, value)| format!("{name}={}", names.fill_path(value)));
        let own = pairs.collect::<Vec<_>>().join("&");
        let query = query.unwrap_or(&own);
        if query.is_empty() { target } else { format!("{target}?{query}") }
    }
}

/// `text` encoded for a path, a query or a form.
pub(crate) fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.,:".contains(&byte);
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

impl Ask {
    /// The request, with the names that the world chose.
    pub fn call(&self, names: &Names) -> Call {
        let mut call = self.unsigned(names);
        for (name, value) in &self.what.headers {
            call = call.header(name, value);
        }
        call.sender = match self.who {
            Who::Nobody => Sender::Nobody,
            Who::Stranger => Sender::Token("pat_nobody-has-this".to_owned()),
            Who::Token(number) => Sender::Token(names.token(number).to_owned()),
        };
        call
    }

    fn unsigned(&self, names: &Names) -> Call {
        let what = &self.what;
        let method: Method = what.rule.meta.method.as_str().parse().expect("methods have good names");
        let good = || Call::new(method.clone(), &what.target(names, None, None));
        match &self.wrong {
            None => what.send(good(), names),
            Some(Wrong::Path(name, value)) => {
                what.send(Call::new(method, &what.target(names, Some((name, value)), None)), names)
            }
            Some(Wrong::Query(query)) => {
                what.send(Call::new(method, &what.target(names, None, Some(query))), names)
            }
            Some(Wrong::Body(wrong)) => good().json(wrong.clone()),
            Some(Wrong::Metadata(wrong)) => {
                let mut spoilt = what.clone();
                spoilt.body["metadata"] = wrong.clone();
                spoilt.send(good(), names)
            }
            Some(Wrong::Garbage(bytes)) => good().bytes("application/json", *bytes),
            Some(Wrong::TooLarge) => good().bytes("application/json", "x".repeat(MAX_BODY_BYTES + 1)),
            Some(Wrong::ContentType(other)) => good().bytes(other, "{}"),
            Some(Wrong::UnknownPath) => {
                Call::new(method, &(what.target(names, None, Some("")) + "/nowhere/at/all"))
            }
            Some(Wrong::Method) => Call::new(Method::TRACE, &what.target(names, None, Some(""))),
        }
    }
}

impl What {
    /// `call` with the body.
    fn send(&self, call: Call, names: &Names) -> Call {
        let body = names.fill(&self.body);
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match self.shape {
            _ if body.is_null() => call,
            Shape::Json => call.json(body),
            Shape::Bytes => call.bytes("application/octet-stream", text(&body["body"])),
            Shape::Form => {
                let fields = body.as_object().into_iter().flatten();
                let pairs: Vec<_> =
                    fields.map(|(name, value)| format!("{name}={}", encoded(&text(value)))).collect();
                call.bytes("application/x-www-form-urlencoded", pairs.join("&"))
            }
            Shape::Multipart => {
                let files = body["file"].as_array().into_iter().flatten();
                let file =
                    |file: &Value| File { name: text(&file[0]), content: text(&file[1]).into_bytes().into() };
                let files: Vec<_> = files.map(file).collect();
                call.bytes(MULTIPART, multipart_of(Some(&body["metadata"]), &files))
            }
        }
    }
}
