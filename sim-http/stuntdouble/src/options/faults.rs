//! `--faults`: fault rules, from a file or as JSON in the argument.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use sim_core::Simulator;
use sim_core::engine::fault::{Effect, Fault, SetFaults};
use sim_core::engine::json::refuse_repeated;
use sim_core::engine::{listed, near};

use crate::{Failure, files};

/// Where the rules are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Faults {
    /// In this text, as JSON.
    Inline(String),
    /// In a file: TOML if its name ends so, else JSON.
    File(PathBuf),
}

/// The form of a TOML file, which can't be a list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    fault: Vec<Rule>,
}

/// A rule, and its service in a world of two.
#[derive(Deserialize)]
#[serde(try_from = "Map<String, Value>")]
struct Rule {
    service: Option<String>,
    fault: Fault,
}

impl TryFrom<Map<String, Value>> for Rule {
    type Error = String;

    fn try_from(mut fields: Map<String, Value>) -> Result<Rule, String> {
        let service = match fields.shift_remove("service") {
            None => None,
            Some(Value::String(name)) => Some(name),
            Some(other) => return Err(format!("service: must be a name, received {other}")),
        };
        let effect = fields.get("effect").cloned();
        let (schema, fields) = (listed::schema_of::<Fault>(), Value::Object(fields));
        if let Some(path) = listed::path_in(&schema, &schema["$defs"], &fields) {
            return Err(format!("{path}: {}", listed::FIELDS));
        }
        let fault: Fault =
            serde_json::from_value(fields.clone()).map_err(|error| named(&fields, &error.to_string()))?;
        refuse_members(effect.as_ref(), &fault.effect)?;
        Ok(Rule { service, fault })
    }
}

/// The message of a deserializer, with the member of the rule that it is about: the one without which there is another error, or none.
fn named(rule: &Value, error: &str) -> String {
    let text = near::explained(error);
    // A member that the rule itself lacks is in no other member.
    if ["on", "effect"]
        .iter()
        .any(|name| error == format!("missing field `{name}`") && rule.get(name).is_none())
    {
        return text;
    }
    let is_about = |name: &&String| {
        let mut others = rule.as_object().cloned().unwrap_or_default();
        others.shift_remove(name.as_str());
        let read = serde_json::from_value::<Fault>(others.into());
        read.err().is_none_or(|other| other.to_string() != error)
    };
    let mut names = rule.as_object().into_iter().flat_map(Map::keys);
    names.find(is_about).map_or_else(|| text.clone(), |name| format!("{name}: {text}"))
}

/// Refuses members of an effect that has none, which the deserializer passes over.
fn refuse_members(given: Option<&Value>, effect: &Effect) -> Result<(), String> {
    let is_bare = matches!(
        effect,
        Effect::Reset
            | Effect::Empty
            | Effect::Torn
            | Effect::Garbage
            | Effect::LostAnswer
            | Effect::Twice
            | Effect::Lean
            | Effect::Rich
            | Effect::Varied
            | Effect::Reorder
    );
    let mut members = given.and_then(Value::as_object).into_iter().flatten().map(|(name, _)| name);
    match members.find(|name| is_bare && *name != "kind") {
        Some(name) => Err(format!("effect.{name}: unknown field, expected kind alone")),
        None => Ok(()),
    }
}

impl std::str::FromStr for Faults {
    type Err = String;

    fn from_str(text: &str) -> Result<Faults, String> {
        if text.trim().is_empty() {
            return Err("must be a file, or rules as JSON; [] is none".to_owned());
        }
        Ok(match text.trim_start().starts_with(['[', '{']) {
            true => Faults::Inline(text.to_owned()),
            false => Faults::File(text.into()),
        })
    }
}

impl<'de> Deserialize<'de> for Faults {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Faults, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Faults {
    /// Resolves a path of a settings file against the folder of that file.
    pub(crate) fn below(&mut self, folder: &Path) {
        if let Faults::File(file) = self {
            *file = folder.join(&*file);
        }
    }

    /// Adds these rules to the world.
    pub(crate) fn add_to(&self, sim: &mut Simulator) -> Result<(), Failure> {
        let first = sim.registry().name();
        let mut rules = BTreeMap::from([(first.to_owned(), Vec::new())]);
        for Rule { service, fault } in self.rules()? {
            rules.entry(service.unwrap_or_else(|| first.to_owned())).or_default().push(fault);
        }
        for (service, rules) in rules {
            let Some(mut admin) = sim.as_admin_of(&service) else {
                return Err(self.wrong(format!("service: this world has no {service:?}")));
            };
            admin.call(SetFaults { rules }).map_err(|error| self.wrong(error.message))?;
        }
        Ok(())
    }

    fn rules(&self) -> Result<Vec<Rule>, Failure> {
        match self {
            Faults::Inline(text) => self.read_json(text),
            Faults::File(file) => {
                let text = files::settings(file).map_err(|why| self.wrong(why))?;
                if file.extension().is_some_and(|end| end == "toml") {
                    let file: Result<File, _> = toml::from_str(&text);
                    return file
                        .map(|file| file.fault)
                        .map_err(|error| self.wrong(near::explained(&error.to_string())));
                }
                self.read_json(&text)
            }
        }
    }

    /// Reads a list of rules, or a single one.
    fn read_json(&self, text: &str) -> Result<Vec<Rule>, Failure> {
        let rules = match text.trim_start().starts_with('{') {
            true => serde_json::from_str(text).map(|rule| vec![rule]),
            false => serde_json::from_str(text),
        };
        let rules = rules.map_err(|error| {
            let form = if error.is_data() { "" } else { "is not JSON: " };
            self.wrong(format!("{form}{}", near::explained(&error.to_string())))
        })?;
        let value = serde_json::from_str(text).map_err(|error| self.wrong(error))?;
        refuse_repeated(text.as_bytes(), &value).map_err(|error| self.wrong(error.message))?;
        Ok(rules)
    }

    fn wrong(&self, why: impl std::fmt::Display) -> Failure {
        Failure(match self {
            Faults::Inline(_) => format!("--faults: {why}"),
            Faults::File(file) => format!("--faults {}: {why}", file.display()),
        })
    }
}
