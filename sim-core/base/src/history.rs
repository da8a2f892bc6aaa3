//! The history of finished background work, as far back as the journal goes.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use sim_derive::ToSchema;

use super::jobs::Due;
use super::log::{COUNTED, Log};
use super::time::Timestamp;

/// Finished work, or something that ended by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Happened {
    /// Its time.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// The kind of work, or `end of` something: of a ban, a token.
    pub kind: String,
    /// Its subject, such as a project's reference.
    pub subject: String,
    /// The task, as JSON text.
    pub task: String,
    /// The new state of the subject: `ACTIVE_HEALTHY`.
    pub became: String,
    /// The number of the call that caused it; 0 for ends and for the world's start.
    pub caused_by_call: u64,
}

impl From<Due> for Happened {
    /// Something that ended by itself.
    fn from(Due { due, kind, subject, task, caused_by_call, .. }: Due) -> Happened {
        Happened { at: due, kind, subject, task, became: "ended".to_owned(), caused_by_call }
    }
}

/// The finished work of a world. A clone copies a pointer.
pub type History = Log<Happened>;

/// The difference between a history and an earlier one, as data.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Course<'h> {
    dropped: u64,
    done: u64,
    /// Entries that are new or different, by number.
    others: Vec<(u64, Cow<'h, Happened>)>,
}

impl Course<'_> {
    /// Whether this can be the difference to the history `before`. It must have all entries that are held now and were
    /// not held then, and no entry that is not held now.
    pub fn continues(&self, before: &History) -> bool {
        let (dropped, done) = (before.dropped(), before.count());
        let was_held = |number: u64| (dropped + 1..=done).contains(&number);
        let told = self.others.iter().map(|(number, _)| *number);
        let earlier = self.dropped + 1..=dropped.min(self.done);
        let later = done.max(self.dropped) + 1..=self.done;
        self.done <= COUNTED
            && self.dropped <= self.done
            && told.clone().all(|number| (self.dropped + 1..=self.done).contains(&number))
            && told.filter(|number| !was_held(*number)).eq(earlier.chain(later))
    }
}

impl History {
    /// The difference to `before`, even if this history does not continue `before`; all entries without `before`.
    pub fn since(&self, before: Option<&History>) -> Course<'_> {
        let nothing = History::default();
        let others = self.others_than(before.unwrap_or(&nothing)).into_iter();
        let others = others.map(|(number, event)| (number, Cow::Borrowed(event))).collect();
        Course { dropped: self.dropped(), done: self.count(), others }
    }

    /// Applies the difference, and so becomes the other history.
    pub fn follow(&mut self, course: Course<'_>) {
        let others = course.others.into_iter().map(|(number, event)| (number, event.into_owned()));
        self.go_on((course.dropped, course.done), others);
    }

    /// The work on `subject`, oldest first; all work when it is `None`.
    pub fn of(&self, subject: Option<&str>) -> Vec<Happened> {
        let events = self.numbered(1).map(|(_, event)| event);
        events.filter(|event| subject.is_none_or(|subject| event.subject == subject)).cloned().collect()
    }

    /// At most `limit` entries after the first `done`.
    pub fn part(&self, done: u64, limit: u64) -> Vec<Happened> {
        let events = self.numbered(done.saturating_add(1)).map(|(_, event)| event.clone());
        events.take(usize::try_from(limit).unwrap_or(usize::MAX)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(number: u64) -> Happened {
        let text = |text: &str| text.to_owned();
        let (kind, subject, task, became) = (text("project"), text("demo"), text("{}"), number.to_string());
        Happened { at: Timestamp::UNIX_EPOCH, kind, subject, task, became, caused_by_call: 1 }
    }

    fn history(done: u64, keep: u64) -> History {
        let mut history = History::default();
        (1..=done).for_each(|number| history.add(event(number), keep, |_| ()));
        history
    }

    /// Empty, short and long histories, some with dropped entries.
    fn histories() -> Vec<History> {
        vec![
            history(0, 9),
            history(5, 9),
            history(70, 99),
            history(70, 9),
            history(300, 9),
            history(128, 200),
        ]
    }

    #[test]
    fn a_course_turns_any_history_into_any_other() {
        for before in &histories() {
            for after in &histories() {
                let mut led = before.clone();
                let course = after.since(Some(before));
                assert!(course.continues(before));
                led.follow(course);
                assert_eq!((led.count(), led.dropped()), (after.count(), after.dropped()));
                assert_eq!(led.of(None), after.of(None));
            }
        }
    }

    #[test]
    fn a_course_with_gaps_is_refused() {
        let (nothing, before, told) =
            (History::default(), history(5, 9), |number| (number, Cow::Owned(event(number))));
        let course = |dropped, done, numbers: &[u64]| Course {
            dropped,
            done,
            others: numbers.iter().copied().map(told).collect(),
        };
        assert!(course(0, 7, &[6, 7]).continues(&before));
        assert!(!course(0, 7, &[6, 7]).continues(&nothing), "1 to 5 are missing");
        assert!(!course(0, 7, &[7]).continues(&before), "6 is missing");
        assert!(!course(0, COUNTED, &[]).continues(&before));
        assert!(!course(0, COUNTED + 1, &[]).continues(&before));
        assert!(!course(6, 5, &[]).continues(&before), "more are dropped than there were");
        assert!(!course(6, 7, &[6, 7]).continues(&before), "6 is dropped");
        assert!(!course(0, 5, &[6]).continues(&before), "6 was not done");
    }
}
