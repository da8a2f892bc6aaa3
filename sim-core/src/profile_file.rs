//! Profiles as files: the uses of each name, a template, and the check of a file before a server starts.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use sim_base::error::Error;
use sim_base::profile::{Profile, TOKENS};
use sim_base::{listed, near};

use crate::engine::{Registry, find_word};

/// A token, and the names that have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenUse {
    /// The key in `names` of a profile.
    pub token: &'static str,
    /// Its meaning.
    pub about: &'static str,
    /// The services that have such names.
    pub services: Vec<&'static str>,
    /// The names of fields, parameters and values that have it, in any edition.
    pub names: Vec<String>,
    /// The names among these without a counterpart for the other tokens of its kind: for example, not each slot has a `_url`.
    pub only_here: Vec<String>,
}

/// Every token with its uses, from the declarations of all operations.
///
/// ```
/// use sim_core::profile_file;
///
/// let uses = profile_file::uses();
/// let slot = uses.iter().find(|one| one.token == "idp_02").expect("it is a token");
/// assert!(slot.names.contains(&"external_idp_02_secret".to_owned()));
/// assert_eq!(slot.only_here, ["external_idp_02_url"]);
/// ```
pub fn uses() -> Vec<TokenUse> {
    let declared: Vec<_> = registries().map(|one| (one.name(), one.declared())).collect();
    let all: BTreeSet<&String> = declared.iter().flat_map(|(_, names)| names).collect();
    let alike = |token: &str| {
        let kind = kind_of(token).to_owned();
        TOKENS.iter().map(|(other, _)| *other).filter(move |other| kind_of(other) == kind)
    };
    // A name is common if most tokens of a kind have it.
    let is_common = |name: &str, token: &str| {
        let have = alike(token).filter(|other| all.contains(&name.replacen(token, other, 1)));
        2 * have.count() > alike(token).count()
    };
    let of = |(token, about): &(&'static str, &'static str)| {
        let names: Vec<String> = all.iter().copied().filter(|name| has(name, token)).cloned().collect();
        let services = declared.iter().filter(|(_, all)| all.iter().any(|name| has(name, token)));
        TokenUse {
            token,
            about,
            services: services.map(|(service, _)| *service).collect(),
            only_here: names.iter().filter(|name| !is_common(name, token)).cloned().collect(),
            names,
        }
    };
    TOKENS.iter().map(of).collect()
}

/// A file with every setting and its default, and every token with its uses. Settings are comments: to change one, remove its
/// `# `.
pub fn template() -> String {
    let mut text = "# A profile: what things are called. Remove the `# ` of a setting to change it; the values are the defaults.\n\
                    # Check it with `stuntdouble profile --check FILE`, use it with `stuntdouble serve --profile FILE`.\n"
        .to_owned();
    let defaults = toml::Value::try_from(Profile::default()).expect("a profile is plain data");
    let schema = schemars::schema_for!(Profile).to_value();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(default) = defaults.get(name).filter(|_| name != "names") {
            comment(&mut text, field["description"].as_str().unwrap_or_default());
            writeln!(text, "# {name} = {default}").expect("a text takes it");
        }
    }
    text.push_str("\n[names]\n");
    for TokenUse { token, about, names, only_here, .. } in uses() {
        comment(&mut text, &format!("{about} In: {}", names.join(", ")));
        // If most names differ, as among vendors, there is no common rule.
        if !only_here.is_empty() && 2 * only_here.len() <= names.len() {
            writeln!(text, "# Others of its kind have no: {}", only_here.join(", "))
                .expect("a text takes it");
        }
        writeln!(text, "# {token} = {token:?}").expect("a text takes it");
    }
    text
}

/// Reads a profile and checks that every service can run with it, in every edition.
///
/// ```
/// use sim_core::profile_file;
///
/// assert!(profile_file::check("[names]\nidp_01 = \"acme\"").is_ok());
/// let refusal = profile_file::check("[names]\nidp_1 = \"acme\"").unwrap_err();
/// assert!(refusal.message.ends_with("did you mean `idp_01`?"), "{refusal}");
/// ```
pub fn check(text: &str) -> Result<Profile, Error> {
    let read: Result<Profile, _> = toml::from_str(text);
    let (schema, value) = (listed::schema_of::<Profile>(), toml::from_str(text).unwrap_or_default());
    if let Some(path) = listed::path_in(&schema, &schema["$defs"], &value) {
        return Err(Error::invalid("invalid_profile", format!("{path}: {}", listed::FIELDS)));
    }
    let profile =
        read.map_err(|error| Error::invalid("invalid_profile", near::explained(&error.to_string())))?;
    registries().try_for_each(|one| one.check_profile(&profile))?;
    Ok(profile)
}

fn registries() -> impl Iterator<Item = &'static Registry> {
    [
        #[cfg(feature = "management")]
        crate::management::registry(),
        #[cfg(feature = "analytics")]
        crate::analytics::registry(),
    ]
    .into_iter()
}

fn has(name: &str, token: &str) -> bool {
    find_word(name, token).is_some()
}

/// The kind of a token: the part before its last word, `idp` for `idp_01`. A token of several words is a kind of its own.
fn kind_of(token: &str) -> &str {
    match token.rsplit_once('_') {
        Some((kind, last)) if last.len() <= 2 => kind,
        _ => token,
    }
}

/// Adds lines that begin with `# ` and are not too long.
fn comment(text: &mut String, words: &str) {
    text.push('\n');
    let mut length = 0;
    for word in words.split_whitespace() {
        if length > 0 && length + word.len() > LINE {
            text.push('\n');
            length = 0;
        }
        text.push_str(if length == 0 { "# " } else { " " });
        text.push_str(word);
        length += word.len() + 1;
    }
    text.push('\n');
}

/// About how long a line of a comment is.
const LINE: usize = 110;
