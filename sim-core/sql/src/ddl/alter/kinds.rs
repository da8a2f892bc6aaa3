//! Changes of a table that a view, a materialized view or a sequence refuses.

use crate::catalog::{Oid, Relation, RelationKind};
use crate::ddl::cursor::Cursor;
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;

/// The first words of changes that only a table takes, each with its name in the refusal.
/// What begins with another's words comes before it.
const OF_TABLES: [(&str, &str); 25] = [
    ("add constraint", "ADD CONSTRAINT"),
    ("add primary key", "ADD CONSTRAINT"),
    ("add unique", "ADD CONSTRAINT"),
    ("add check", "ADD CONSTRAINT"),
    ("add foreign key", "ADD CONSTRAINT"),
    ("add", "ADD COLUMN"),
    ("drop constraint", "DROP CONSTRAINT"),
    ("drop", "DROP COLUMN"),
    ("validate constraint", "VALIDATE CONSTRAINT"),
    ("enable row level security", "ENABLE ROW SECURITY"),
    ("disable row level security", "DISABLE ROW SECURITY"),
    ("no force row level security", "NO FORCE ROW SECURITY"),
    ("force row level security", "FORCE ROW SECURITY"),
    ("enable always trigger", "ENABLE ALWAYS TRIGGER"),
    ("enable replica trigger", "ENABLE REPLICA TRIGGER"),
    ("enable trigger all", "ENABLE TRIGGER ALL"),
    ("enable trigger user", "ENABLE TRIGGER USER"),
    ("enable trigger", "ENABLE TRIGGER"),
    ("disable trigger all", "DISABLE TRIGGER ALL"),
    ("disable trigger user", "DISABLE TRIGGER USER"),
    ("disable trigger", "DISABLE TRIGGER"),
    ("enable always rule", "ENABLE ALWAYS RULE"),
    ("enable replica rule", "ENABLE REPLICA RULE"),
    ("enable rule", "ENABLE RULE"),
    ("disable rule", "DISABLE RULE"),
];

/// The same of changes of a column, after its name.
const OF_COLUMNS: [(&str, &str); 4] = [
    ("set not null", "ALTER COLUMN ... SET NOT NULL"),
    ("drop not null", "ALTER COLUMN ... DROP NOT NULL"),
    ("type", "ALTER COLUMN ... SET DATA TYPE"),
    ("set data type", "ALTER COLUMN ... SET DATA TYPE"),
];

impl Engine<'_> {
    /// Refuses a change that a relation of this kind can't have.
    pub(super) fn require_kind_for(&self, cursor: &Cursor<'_>, oid: Oid) -> Result<()> {
        let relation = self.relation(oid)?;
        if matches!(relation.shown_kind(), RelationKind::Table | RelationKind::Foreign) {
            return Ok(());
        }
        let begins = |ahead: usize, words: &str| {
            words.split(' ').enumerate().all(|(index, word)| cursor.is_at(ahead + index, word))
        };
        let (ahead, changes) = match cursor.is("alter") {
            true => (2 + usize::from(cursor.is_at(1, "column")), OF_COLUMNS.as_slice()),
            false => (0, OF_TABLES.as_slice()),
        };
        // For all triggers there is no such form.
        let is_wrong = ["always", "replica"].iter().any(|how| cursor.is_at(1, how))
            && ["all", "user"].iter().any(|every| cursor.is_at(3, every));
        match changes.iter().find(|(words, _)| !is_wrong && begins(ahead, words)) {
            Some((_, action)) => Err(refused_for_kind(
                &relation,
                format!("ALTER action {action} cannot be performed on relation \"{}\"", relation.name),
            )),
            None => Ok(()),
        }
    }
}

/// The refusal of what relations of this kind can't have.
pub(in crate::ddl) fn refused_for_kind(relation: &Relation, message: String) -> SqlError {
    SqlError::new(SqlState::WRONG_OBJECT_TYPE, message)
        .detail(format!("This operation is not supported for {}s.", relation.word()))
}
