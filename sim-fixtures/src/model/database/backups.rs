//! Backups: daily ones, the archive of restores to any instant, and restores.

use std::time::Duration;

use serde_json::{Value, json};
use sim_core::Timestamp;

use super::TIMES;
use crate::model::projects::Project;
use crate::model::rule::{Answer, Asked, done};
use crate::model::time::{Event, later};
use crate::model::{Model, days};
use crate::strategies::Text;

/// The backups of a project's database.
#[derive(Clone, Debug, Default)]
pub(in crate::model) struct Backups {
    /// Timestamps of its backups, and whether each copied files.
    pub(super) daily: Vec<(Timestamp, bool)>,
    /// Decisions about single backups.
    pub(super) decided: Vec<(Timestamp, String)>,
    /// Spans in which every second is kept; the last one may be open.
    pub(super) archive: Vec<(Timestamp, Option<Timestamp>)>,
}

/// The time of day at which a project is backed up.
#[derive(Clone, Debug, Default)]
pub(in crate::model) struct Schedule {
    /// Each time of day that was set, from when it counts, and when it was set.
    pub(super) said: Vec<(Text, Timestamp, Timestamp)>,
}

impl Schedule {
    pub(super) fn shown(&self) -> Value {
        match self.said.last() {
            Some((time, _, at)) => json!({ "schedule_for": time, "updated_at": at.to_string() }),
            None => json!({ "schedule_for": TIMES[0] }),
        }
    }

    /// The timestamps from `since` (included) to `until` (excluded), oldest first.
    fn due(&self, since: Timestamp, until: Timestamp) -> Vec<Timestamp> {
        let mut all = Vec::new();
        let mut day = midnight(since);
        while day < until {
            for time in TIMES {
                let at = on(day, time);
                let counts = self.said.iter().rfind(|(_, since, _)| *since <= at);
                if counts.map_or(TIMES[0], |(time, ..)| time) == time && since <= at && at < until {
                    all.push(at);
                }
            }
            day = later(day, days(1));
        }
        all
    }

    /// The last one of the day of `at`.
    fn of_day(&self, at: Timestamp) -> Timestamp {
        let day = midnight(at);
        *self.due(day, later(day, days(1))).last().expect("each day has one")
    }
}

/// The scheduled time on that day.
fn on(day: Timestamp, time: &str) -> Timestamp {
    let number = |place: usize| time[place..place + 2].parse::<u64>().expect("times are drawn from a list");
    later(day, Duration::from_secs(number(0) * 3600 + number(3) * 60 + number(6)))
}

pub(super) fn set_schedule(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let (now, project) = (model.now, asked.project());
    if model.plan(project) != "enterprise" {
        return Err(402);
    }
    let found = &mut model.projects[project];
    if found.schedule.said.iter().filter(|(_, _, at)| later(*at, days(1)) > now).count() >= 3 {
        return Err(400);
    }
    let text = asked.text("schedule_for");
    let time = TIMES.into_iter().find(|time| *time == text).expect("times are drawn from a list");
    let today = midnight(now);
    let since = if on(today, time) >= now { now } else { later(today, days(1)) };
    found.schedule.said.push((time, since, now));
    for (at, _) in found.backups.decided.iter_mut().filter(|(at, _)| *at > now) {
        *at = found.schedule.of_day(*at);
    }
    Ok(found.schedule.shown())
}

impl Backups {
    /// Its organization no longer pays.
    pub(in crate::model) fn lose_all(&mut self) {
        *self = Backups::default();
    }
}

impl Project {
    /// How long each second is kept.
    pub(in crate::model) fn pitr(&self) -> Option<Duration> {
        [28, 14, 7].into_iter().find(|kept| self.addons.contains(&format!("pitr_{kept}"))).map(days)
    }

    /// The first and the last second that can be restored.
    pub(super) fn window(&self, now: Timestamp) -> Option<(i64, i64)> {
        let oldest = now.checked_sub(self.pitr()?).expect("histories begin after the calendar");
        let kept = self.backups.archive.iter().map(|(since, until)| (*since, until.unwrap_or(now)));
        let kept: Vec<_> = kept.filter(|(_, until)| *until >= oldest).collect();
        let earliest = kept.iter().map(|(since, _)| *since).min()?.max(oldest);
        let latest = kept.iter().map(|(_, until)| *until).max()?;
        let whole = earliest.as_second() + i64::from(earliest.subsec_nanosecond() > 0);
        Some((whole, latest.as_second()))
    }
}

pub(in crate::model) fn list_backups(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let project = asked.project();
    let found = &model.projects[project];
    let mut daily = found.backups.daily.clone();
    let just_now = later(model.now, Duration::from_nanos(1));
    if !found.schedule.due(model.now, just_now).is_empty()
        && let Some(physical) = model.backs_up(project)
    {
        daily.push((model.now, physical));
    }
    let decided = &found.backups.decided;
    let kept = match model.plan(project) {
        "free" => 0,
        "pro" => 7,
        "team" => 14,
        _ => 30,
    };
    let oldest = model.now.checked_sub(days(kept)).expect("histories begin after the calendar");
    let due = found.schedule.due(later(oldest, Duration::from_nanos(1)), just_now);
    let shown = due.into_iter().rev().filter_map(|at| {
        let made = daily.iter().find(|(day, _)| *day == at);
        let decided = decided.iter().rfind(|(day, _)| *day == at).map(|(_, status)| status.as_str());
        let status = decided.or(made.map(|_| "COMPLETED"))?;
        let physical = made.is_some_and(|(_, physical)| *physical);
        Some(json!({ "status": status, "is_physical_backup": physical, "inserted_at": at.to_string() }))
    });
    let (earliest, latest) = found.window(model.now).unzip();
    Ok(json!({
        "walg_enabled": true,
        "pitr_enabled": found.pitr().is_some(),
        "backups": shown.collect::<Vec<_>>(),
        "physical_backup_data": {
            "earliest_physical_backup_date_unix": earliest,
            "latest_physical_backup_date_unix": latest,
        },
    }))
}

pub(in crate::model) fn midnight(at: Timestamp) -> Timestamp {
    let seconds = at.as_second();
    Timestamp::from_second(seconds - seconds.rem_euclid(86_400)).expect("days begin within the calendar")
}

pub(super) fn restore(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let found = &model.projects[asked.project()];
    let target = asked.body("recovery_time_target_unix").as_i64().unwrap_or_default();
    let within =
        found.window(model.now).is_some_and(|(earliest, latest)| (earliest..=latest).contains(&target));
    if !within {
        return Err(400);
    }
    model.begin_restore(asked.project(), Timestamp::from_second(target).map_err(|_| 400_u16)?)?;
    done()
}

pub(super) fn restore_physical(model: &mut Model, asked: &Asked<'_>) -> Answer {
    let id = asked.body("id").as_i64().unwrap_or_default();
    let listed = list_backups(model, asked)?;
    let backups = listed["backups"].as_array().cloned().unwrap_or_default();
    let made = |backup: &Value| {
        let text = backup["inserted_at"].as_str().unwrap_or_default();
        text.parse::<Timestamp>().expect("a backup has an instant")
    };
    let backup = backups.into_iter().find(|backup| made(backup).as_second() == id).ok_or(404_u16)?;
    if backup["is_physical_backup"] != true || backup["status"] != "COMPLETED" {
        return Err(400);
    }
    model.begin_restore(asked.project(), made(&backup))?;
    done()
}

pub(super) fn set_backup(model: &mut Model, asked: &Asked<'_>) -> Answer {
    if model.is_free(asked.project()) {
        return Err(402);
    }
    let day = asked.body("day").as_str().map(|day| day.parse().expect("a day is drawn as a timestamp"));
    let (now, schedule) = (model.now, &model.projects[asked.project()].schedule);
    let next = || schedule.due(later(now, Duration::from_nanos(1)), later(now, days(2)))[0];
    let at = day.map_or_else(next, |day| schedule.of_day(day));
    let status = asked.text("status").to_owned();
    let shown = json!({ "status": status, "inserted_at": at.to_string() });
    model.projects[asked.project()].backups.decided.push((at, status));
    Ok(shown)
}

impl Model {
    /// Starts to restore the project's database to its state at `instant`.
    pub(in crate::model) fn begin_restore(&mut self, project: usize, instant: Timestamp) -> Result<(), u16> {
        self.begin_return(project, Some(instant), None)
    }

    /// Starts to restore the project's database to a restore point.
    pub(in crate::model) fn begin_undo(&mut self, project: usize, point: usize) -> Result<(), u16> {
        self.begin_return(project, None, Some(point))
    }

    fn begin_return(
        &mut self,
        project: usize,
        back_to: Option<Timestamp>,
        point: Option<usize>,
    ) -> Result<(), u16> {
        if !self.projects[project].is_active() {
            return Err(400);
        }
        let status = if self.next_fails("pitr_restore") { "RESTORE_FAILED" } else { "ACTIVE_HEALTHY" };
        self.turn(project, "RESTORING");
        let turn = Event::Turn { project, status, version: None, size: None, back_to, point };
        self.after(Duration::from_secs(180), turn);
        Ok(())
    }

    /// Whether the project has backups in its current state, and if so whether they copy files.
    fn backs_up(&self, project: usize) -> Option<bool> {
        let found = &self.projects[project];
        let physical = found.pitr().is_some()
            || found.settings.bytes >= 15_000_000_000
            || self.replicas_of(project).next().is_some();
        (found.is_active() && !self.is_free(project)).then_some(physical)
    }

    /// Makes all backups of projects that are due before `until`.
    pub(in crate::model) fn make_backups(&mut self, until: Timestamp) {
        let begin = self.now;
        for project in 0..self.projects.len() {
            for at in self.projects[project].schedule.due(begin, until) {
                // A replica may finish meanwhile.
                self.now = at;
                if let Some(physical) = self.backs_up(project) {
                    self.projects[project].backups.daily.push((at, physical));
                }
            }
        }
    }

    /// Records what follows from the current state: what is archived, and what is kept.
    pub(in crate::model) fn settle(&mut self) {
        for project in 0..self.projects.len() {
            let (free, active) = (self.is_free(project), self.projects[project].is_active());
            let found = &mut self.projects[project];
            let pitr = found.pitr().is_some();
            let backups = &mut found.backups;
            if free {
                backups.daily.clear();
            }
            if free || !pitr {
                // Earlier archives can no longer be used.
                backups.archive.clear();
            }
            let open = backups.archive.last().is_some_and(|(_, until)| until.is_none());
            match active && pitr && !free {
                true if !open => backups.archive.push((self.now, None)),
                false if open => backups.archive.last_mut().expect("one is open").1 = Some(self.now),
                _ => {}
            }
        }
    }
}
