//! Lists of privileges, as `pg_class.relacl` and its siblings have them.

use serde::{Deserialize, Serialize};
pub(crate) use sim_functions::privileges::{LETTERS, letter, word};

/// The kind of object that a list of privileges belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Guarded {
    Table,
    Column,
    Sequence,
    Schema,
    Routine,
    Type,
    Database,
}

impl Guarded {
    /// All privileges that such an object knows.
    pub(crate) fn letters(self) -> &'static str {
        match self {
            Guarded::Table => "arwdDxt",
            Guarded::Column => "arwx",
            Guarded::Sequence => "rwU",
            Guarded::Schema => "UC",
            Guarded::Routine => "X",
            Guarded::Type => "U",
            Guarded::Database => "CTc",
        }
    }

    /// The privileges that everybody has at first.
    fn public_letters(self) -> &'static str {
        match self {
            Guarded::Routine => "X",
            Guarded::Type => "U",
            Guarded::Database => "Tc",
            Guarded::Table | Guarded::Column | Guarded::Sequence | Guarded::Schema => "",
        }
    }

    /// What messages call it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Guarded::Table => "table",
            Guarded::Column => "column",
            Guarded::Sequence => "sequence",
            Guarded::Schema => "schema",
            Guarded::Routine => "function",
            Guarded::Type => "type",
            Guarded::Database => "database",
        }
    }

    /// The letter that `pg_default_acl` has for it.
    pub(crate) fn default_letter(self) -> char {
        match self {
            Guarded::Table | Guarded::Column | Guarded::Database => 'r',
            Guarded::Sequence => 'S',
            Guarded::Routine => 'f',
            Guarded::Type => 'T',
            Guarded::Schema => 'n',
        }
    }
}

/// The privileges that one role has from another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The role; empty for everybody.
    pub(crate) grantee: String,
    pub(crate) grantor: String,
    /// The letters of its privileges.
    pub(crate) letters: String,
    /// The letters of those that it may grant in turn.
    pub(crate) options: String,
}

/// A list of privileges; without one, those are in force that the kind of object begins with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Acl(pub(crate) Option<Vec<Entry>>);

/// One change by `GRANT` or `REVOKE`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change<'c> {
    pub(crate) grantee: &'c str,
    pub(crate) grantor: &'c str,
    pub(crate) letters: &'c str,
    pub(crate) grant: bool,
    /// Whether it is about the right to grant: with it when granted, only it when revoked.
    pub(crate) option: bool,
}

fn with(letters: &str, more: &str) -> String {
    LETTERS.chars().filter(|letter| letters.contains(*letter) || more.contains(*letter)).collect()
}

fn without(letters: &str, fewer: &str) -> String {
    letters.chars().filter(|letter| !fewer.contains(*letter)).collect()
}

impl Acl {
    /// The entries in force for an object of `owner`.
    pub(crate) fn entries(&self, kind: Guarded, owner: &str) -> Vec<Entry> {
        if let Some(entries) = &self.0 {
            return entries.clone();
        }
        let entry = |grantee: &str, letters: &str| Entry {
            grantee: grantee.to_owned(),
            grantor: owner.to_owned(),
            letters: letters.to_owned(),
            options: String::new(),
        };
        let public = entry("", kind.public_letters());
        let own = entry(owner, if kind == Guarded::Column { "" } else { kind.letters() });
        [public, own].into_iter().filter(|entry| !entry.letters.is_empty()).collect()
    }

    /// Grants or revokes.
    pub(crate) fn change(&mut self, kind: Guarded, owner: &str, change: Change<'_>) {
        let mut entries = self.entries(kind, owner);
        apply(&mut entries, change);
        *self = Acl(Some(entries));
    }

    /// Whether others have what is revoked from a role that has granted it on.
    pub(crate) fn has_dependents(&self, kind: Guarded, owner: &str, change: Change<'_>) -> bool {
        let entries = self.entries(kind, owner);
        let own =
            entries.iter().find(|entry| entry.grantee == change.grantee && entry.grantor == change.grantor);
        let lost = own.map_or("", |entry| &entry.options);
        change.grantee != owner
            && entries.iter().filter(|entry| entry.grantor == change.grantee).any(|entry| {
                entry.letters.chars().any(|letter| lost.contains(letter) && change.letters.contains(letter))
            })
    }

    /// Whether a privilege is granted to everybody or to a role for which `has` is true.
    pub(crate) fn allows(
        &self,
        kind: Guarded,
        owner: &str,
        letter: char,
        has: &dyn Fn(&str) -> bool,
    ) -> bool {
        self.entries(kind, owner)
            .iter()
            .any(|entry| entry.letters.contains(letter) && (entry.grantee.is_empty() || has(&entry.grantee)))
    }

    /// The letters that a role for which `has` is true may grant.
    pub(crate) fn grantable(&self, has: &dyn Fn(&str) -> bool) -> String {
        let entries = self.0.iter().flatten().filter(|entry| has(&entry.grantee));
        entries.fold(String::new(), |all, entry| with(&all, &entry.options))
    }

    /// Adds the entries of another list; the default list of the kind stays unwritten.
    pub(crate) fn merged(&self, kind: Guarded, owner: &str, more: &Acl) -> Acl {
        let mut entries = self.entries(kind, owner);
        for entry in more.0.iter().flatten() {
            let change = |letters, option| Change {
                grantee: &entry.grantee,
                grantor: owner,
                letters,
                grant: true,
                option,
            };
            apply(&mut entries, change(&entry.letters, false));
            apply(&mut entries, change(&entry.options, true));
        }
        if same(&entries, &Acl::default().entries(kind, owner)) { Acl::default() } else { Acl(Some(entries)) }
    }

    /// Hands what `from` has and has granted on to `to`.
    pub(crate) fn rename(&mut self, from: &str, to: &str) {
        let Some(entries) = &mut self.0 else { return };
        for entry in entries.iter_mut() {
            for name in [&mut entry.grantee, &mut entry.grantor] {
                if name == from {
                    to.clone_into(name);
                }
            }
        }
        let mut merged: Vec<Entry> = Vec::new();
        for entry in std::mem::take(entries) {
            let same =
                |known: &&mut Entry| (&known.grantee, &known.grantor) == (&entry.grantee, &entry.grantor);
            match merged.iter_mut().find(same) {
                Some(known) => {
                    known.letters = with(&known.letters, &entry.letters);
                    known.options = with(&known.options, &entry.options);
                }
                None => merged.push(entry),
            }
        }
        *entries = merged;
    }

    /// Whether `role` is in it.
    pub(crate) fn names(&self, role: &str) -> bool {
        self.0.iter().flatten().any(|entry| entry.grantee == role || entry.grantor == role)
    }

    /// Removes what `role` has been granted, and has granted on.
    pub(crate) fn forget(&mut self, role: &str) {
        if let Some(entries) = &mut self.0 {
            entries.retain(|entry| entry.grantee != role && entry.grantor != role);
        }
    }

    /// The texts of its entries, as PostgreSQL prints them; `None` for an unwritten list.
    pub(crate) fn texts(&self) -> Option<Vec<String>> {
        Some(self.0.as_ref()?.iter().map(Entry::text).collect())
    }

    /// Whether nothing has been granted or revoked.
    pub(crate) fn is_unwritten(&self) -> bool {
        self.0.is_none()
    }

    /// Whether it is equal to the list that objects of this kind begin with.
    pub(crate) fn is_usual(&self, kind: Guarded, owner: &str) -> bool {
        same(&self.entries(kind, owner), &Acl::default().entries(kind, owner))
    }
}

impl Entry {
    fn text(&self) -> String {
        let letters = self.letters.chars().map(|letter| {
            if self.options.contains(letter) { format!("{letter}*") } else { letter.to_string() }
        });
        format!("{}={}/{}", name(&self.grantee), letters.collect::<String>(), name(&self.grantor))
    }
}

/// A role's name in an entry.
fn name(role: &str) -> String {
    let plain = role.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if plain { role.to_owned() } else { format!("\"{}\"", role.replace('"', "\"\"")) }
}

fn apply(entries: &mut Vec<Entry>, change: Change<'_>) {
    let Change { grantee, grantor, letters, grant, option } = change;
    if letters.is_empty() {
        return;
    }
    let found = entries.iter().position(|entry| entry.grantee == grantee && entry.grantor == grantor);
    let at = match found {
        Some(at) => at,
        None if grant => {
            let (grantee, grantor) = (grantee.to_owned(), grantor.to_owned());
            entries.push(Entry { grantee, grantor, letters: String::new(), options: String::new() });
            entries.len() - 1
        }
        None => return,
    };
    let entry = &mut entries[at];
    if grant {
        entry.letters = with(&entry.letters, letters);
        if option {
            entry.options = with(&entry.options, letters);
        }
    } else {
        entry.options = without(&entry.options, letters);
        if !option {
            entry.letters = without(&entry.letters, letters);
        }
    }
    let lost: String = letters.chars().filter(|letter| !entry.options.contains(*letter)).collect();
    if entry.letters.is_empty() {
        entries.remove(at);
    }
    // What the role has granted on ends with its right to do so.
    if !grant && !grantee.is_empty() && grantee != grantor {
        let granted: Vec<String> = entries
            .iter()
            .filter(|entry| entry.grantor == grantee && entry.grantee != grantee)
            .map(|entry| entry.grantee.clone())
            .collect();
        for next in granted {
            apply(entries, Change { grantee: &next, grantor: grantee, letters: &lost, grant, option: false });
        }
    }
}

fn same(left: &[Entry], right: &[Entry]) -> bool {
    left.len() == right.len() && left.iter().all(|entry| right.contains(entry))
}
