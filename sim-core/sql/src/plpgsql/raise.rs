//! `RAISE`.

use super::conditions;
use super::context::Place;
use super::run::Run;
use super::tree::{Raise, RaiseOption};
use crate::error::{About, Result, SqlError, SqlState};

impl Run<'_, '_> {
    pub(super) fn raise(&mut self, raise: &Raise) -> Result<()> {
        let again = raise.format.is_none() && raise.condition.is_none() && raise.options.is_empty();
        if again {
            if !self.errors.is_empty() {
                self.place = Place::Again;
            }
            return Err(self.errors.last().cloned().unwrap_or_else(|| {
                let message = "RAISE without parameters cannot be used outside an exception handler";
                SqlError::new(SqlState::new("0Z002"), message)
            }));
        }
        let mut message = match &raise.format {
            Some(format) => Some(self.formatted(format, raise)?),
            None => None,
        };
        let mut state = raise.condition.as_ref().map(|(_, state)| state.clone());
        let (mut detail, mut hint, mut about) = (None, None, About::default());
        let mut named = raise.condition.as_ref().map(|(name, _)| name.clone());
        let mut given = Vec::new();
        for (option, value) in &raise.options {
            let again = match option {
                RaiseOption::Message => message.is_some(),
                RaiseOption::Code => state.is_some(),
                option => given.contains(option),
            };
            given.push(*option);
            let Some(text) = self.engine.evaluate_shown(value)? else {
                let message = "RAISE statement option cannot be null";
                return Err(SqlError::new(SqlState::new("22004"), message));
            };
            if again {
                let message = format!("RAISE option already specified: {}", option.name());
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
            }
            match *option {
                RaiseOption::Code => {
                    state = Some(state_of(&text)?);
                    named = Some(text);
                }
                RaiseOption::Message => message = Some(text),
                RaiseOption::Detail => detail = Some(text),
                RaiseOption::Hint => hint = Some(text),
                RaiseOption::About(letter) => about.set(letter, text),
            }
        }
        if let Some(level) = raise.level {
            let usual = if level == "warning" { "01000" } else { "00000" };
            let state = SqlState::new(state.as_deref().unwrap_or(usual));
            let message = message.or(named).unwrap_or_else(|| state.as_str().to_owned());
            let content = SqlError::new(state, message);
            return self.engine.report(&level.to_uppercase(), &with_texts(content, detail, hint));
        }
        // An error cannot say that there is none.
        let state = state.filter(|state| state != "00000").unwrap_or_else(|| "P0001".to_owned());
        let message = message.or(named).unwrap_or_else(|| state.clone());
        Err(with_texts(SqlError::new(SqlState::new(&state), message).about(about), detail, hint))
    }

    /// The format with values in the places of `%`.
    fn formatted(&mut self, format: &str, raise: &Raise) -> Result<String> {
        let mut values = raise.arguments.iter();
        let (mut out, mut rest) = (String::new(), format);
        while let Some((before, after)) = rest.split_once('%') {
            out.push_str(before);
            rest = match (after.strip_prefix('%'), values.len()) {
                (Some(after), _) => {
                    out.push('%');
                    after
                }
                (None, _) => {
                    let value = values.next().map(|value| self.engine.evaluate_shown(value)).transpose()?;
                    out.push_str(value.flatten().as_deref().unwrap_or("<NULL>"));
                    after
                }
            };
        }
        out.push_str(rest);
        Ok(out)
    }
}

fn with_texts(mut content: SqlError, detail: Option<String>, hint: Option<String>) -> SqlError {
    if let Some(detail) = detail {
        content = content.detail(detail);
    }
    match hint {
        Some(hint) => content.hint(hint),
        None => content,
    }
}

/// The SQLSTATE that a text spells or names.
fn state_of(text: &str) -> Result<String> {
    if text.len() == 5 && text.chars().all(|c| c.is_ascii_digit() || c.is_ascii_uppercase()) {
        return Ok(text.to_owned());
    }
    let states = conditions::states(text);
    states.first().map(|state| (*state).to_owned()).ok_or_else(|| {
        let message = format!("unrecognized exception condition \"{text}\"");
        SqlError::new(SqlState::UNDEFINED_OBJECT, message)
    })
}
