//! The lifecycle of a project: its events, and where they lead.

use serde::Serialize;
use sim_base::{FromJson, ToSchema};

/// The status of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum Status {
    Unknown,
    ComingUp,
    ActiveHealthy,
    ActiveUnhealthy,
    InitFailed,
    Pausing,
    Inactive,
    PauseFailed,
    Restoring,
    RestoreFailed,
    Upgrading,
    Restarting,
    Resizing,
    GoingDown,
    Removed,
}

/// What can happen to a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson)]
#[expect(missing_docs, reason = "they are what they say")]
pub enum Event {
    Accept,
    FinishCreate,
    FailCreate,
    Degrade,
    Recover,
    Pause,
    FinishPause,
    FailPause,
    Restore,
    FinishRestore,
    FailRestore,
    CancelRestore,
    RestoreBackup,
    Restart,
    FinishRestart,
    Resize,
    FinishResize,
    Upgrade,
    FinishUpgrade,
    FailUpgrade,
    Delete,
    FinishDelete,
}

impl Event {
    /// Every event.
    pub const ALL: [Event; 22] = {
        use Event::*;
        [
            Accept,
            FinishCreate,
            FailCreate,
            Degrade,
            Recover,
            Pause,
            FinishPause,
            FailPause,
            Restore,
            FinishRestore,
            FailRestore,
            CancelRestore,
            RestoreBackup,
            Restart,
            FinishRestart,
            Resize,
            FinishResize,
            Upgrade,
            FinishUpgrade,
            FailUpgrade,
            Delete,
            FinishDelete,
        ]
    };

    /// The state in which it happens, if there is only one; for events that end work, the state during the work.
    pub fn only_in(self) -> Option<Status> {
        let mut states = Status::ALL.into_iter().filter(|status| status.on(self).is_some());
        states.next().filter(|_| states.next().is_none())
    }
}

impl Status {
    /// Every status, as published.
    pub const ALL: [Status; 15] = {
        use Status::*;
        [
            Unknown,
            ComingUp,
            ActiveHealthy,
            ActiveUnhealthy,
            InitFailed,
            Pausing,
            Inactive,
            PauseFailed,
            Restoring,
            RestoreFailed,
            Upgrading,
            Restarting,
            Resizing,
            GoingDown,
            Removed,
        ]
    };

    /// The whole lifecycle of a project. `None`: the event does not apply in this state.
    #[rustfmt::skip]
    pub const fn on(self, event: Event) -> Option<Status> {
        use Event::*;
        use Status::*;
        Some(match (self, event) {
            (Unknown, Accept) => ComingUp,
            (Unknown, Pause) => Pausing,
            (Unknown, Delete) => GoingDown,
            (Unknown, FinishCreate | FailCreate | Degrade | Recover | FinishPause | FailPause | Restore
                | FinishRestore | FailRestore | CancelRestore | RestoreBackup | Restart | FinishRestart | Resize
                | FinishResize | Upgrade | FinishUpgrade | FailUpgrade | FinishDelete) => return None,

            (ComingUp, FinishCreate) => ActiveHealthy,
            (ComingUp, FailCreate) => InitFailed,
            (ComingUp, Pause) => Pausing,
            (ComingUp, Delete) => GoingDown,
            (ComingUp, Accept | Degrade | Recover | FinishPause | FailPause | Restore | FinishRestore
                | FailRestore | CancelRestore | RestoreBackup | Restart | FinishRestart | Resize | FinishResize
                | Upgrade | FinishUpgrade | FailUpgrade | FinishDelete) => return None,

            (ActiveHealthy, Degrade) => ActiveUnhealthy,
            (ActiveHealthy, Pause) => Pausing,
            (ActiveHealthy, RestoreBackup) => Restoring,
            (ActiveHealthy, Restart) => Restarting,
            (ActiveHealthy, Resize) => Resizing,
            (ActiveHealthy, Upgrade) => Upgrading,
            (ActiveHealthy, Delete) => GoingDown,
            (ActiveHealthy, Accept | FinishCreate | FailCreate | Recover | FinishPause | FailPause | Restore
                | FinishRestore | FailRestore | CancelRestore | FinishRestart | FinishResize | FinishUpgrade
                | FailUpgrade | FinishDelete) => return None,

            (ActiveUnhealthy, Recover) => ActiveHealthy,
            (ActiveUnhealthy, Pause) => Pausing,
            (ActiveUnhealthy, RestoreBackup) => Restoring,
            (ActiveUnhealthy, Restart) => Restarting,
            (ActiveUnhealthy, Resize) => Resizing,
            (ActiveUnhealthy, Delete) => GoingDown,
            (ActiveUnhealthy, Accept | FinishCreate | FailCreate | Degrade | FinishPause | FailPause | Restore
                | FinishRestore | FailRestore | CancelRestore | FinishRestart | FinishResize | Upgrade
                | FinishUpgrade | FailUpgrade | FinishDelete) => return None,

            (Pausing, FinishPause) => Inactive,
            (Pausing, FailPause) => PauseFailed,
            (Pausing, Delete) => GoingDown,
            (Pausing, Accept | FinishCreate | FailCreate | Degrade | Recover | Pause | Restore | FinishRestore
                | FailRestore | CancelRestore | RestoreBackup | Restart | FinishRestart | Resize | FinishResize
                | Upgrade | FinishUpgrade | FailUpgrade | FinishDelete) => return None,

            (Inactive, Restore) => Restoring,
            (Inactive, Delete) => GoingDown,
            (Inactive, Accept | FinishCreate | FailCreate | Degrade | Recover | Pause | FinishPause | FailPause
                | FinishRestore | FailRestore | CancelRestore | RestoreBackup | Restart | FinishRestart | Resize
                | FinishResize | Upgrade | FinishUpgrade | FailUpgrade | FinishDelete) => return None,

            (PauseFailed, Pause) => Pausing,
            (PauseFailed, Delete) => GoingDown,
            (PauseFailed, Accept | FinishCreate | FailCreate | Degrade | Recover | FinishPause | FailPause
                | Restore | FinishRestore | FailRestore | CancelRestore | RestoreBackup | Restart
                | FinishRestart | Resize | FinishResize | Upgrade | FinishUpgrade | FailUpgrade | FinishDelete) => return None,

            (Restoring, FinishRestore) => ActiveHealthy,
            (Restoring, FailRestore) => RestoreFailed,
            (Restoring, CancelRestore) => Inactive,
            (Restoring, Delete) => GoingDown,
            (Restoring, Accept | FinishCreate | FailCreate | Degrade | Recover | Pause | FinishPause | FailPause
                | Restore | RestoreBackup | Restart | FinishRestart | Resize | FinishResize | Upgrade
                | FinishUpgrade | FailUpgrade | FinishDelete) => return None,

            (Upgrading, FinishUpgrade) => ActiveHealthy,
            (Upgrading, FailUpgrade) => ActiveHealthy,
            (Upgrading, Accept | FinishCreate | FailCreate | Degrade | Recover | Pause | FinishPause | FailPause
                | Restore | FinishRestore | FailRestore | CancelRestore | RestoreBackup | Restart
                | FinishRestart | Resize | FinishResize | Upgrade | Delete | FinishDelete) => return None,

            (Restarting, FinishRestart) => ActiveHealthy,
            (Restarting, Delete) => GoingDown,
            (Restarting, Accept | FinishCreate | FailCreate | Degrade | Recover | Pause | FinishPause
                | FailPause | Restore | FinishRestore | FailRestore | CancelRestore | RestoreBackup | Restart
                | Resize | FinishResize | Upgrade | FinishUpgrade | FailUpgrade | FinishDelete) => return None,

            (Resizing, FinishResize) => ActiveHealthy,
            (Resizing, Delete) => GoingDown,
            (Resizing, Accept | FinishCreate | FailCreate | Degrade | Recover | Pause | FinishPause | FailPause
                | Restore | FinishRestore | FailRestore | CancelRestore | RestoreBackup | Restart
                | FinishRestart | Resize | Upgrade | FinishUpgrade | FailUpgrade | FinishDelete) => return None,

            (InitFailed, Delete) => GoingDown,
            (InitFailed, Accept | FinishCreate | FailCreate | Degrade | Recover | Pause | FinishPause
                | FailPause | Restore | FinishRestore | FailRestore | CancelRestore | RestoreBackup | Restart
                | FinishRestart | Resize | FinishResize | Upgrade | FinishUpgrade | FailUpgrade | FinishDelete) => return None,

            (RestoreFailed, Delete) => GoingDown,
            (RestoreFailed, Accept | FinishCreate | FailCreate | Degrade | Recover | Pause | FinishPause
                | FailPause | Restore | FinishRestore | FailRestore | CancelRestore | RestoreBackup | Restart
                | FinishRestart | Resize | FinishResize | Upgrade | FinishUpgrade | FailUpgrade | FinishDelete) => return None,

            (GoingDown, FinishDelete) => Removed,
            (GoingDown, Accept | FinishCreate | FailCreate | Degrade | Recover | Pause | FinishPause | FailPause
                | Restore | FinishRestore | FailRestore | CancelRestore | RestoreBackup | Restart
                | FinishRestart | Resize | FinishResize | Upgrade | FinishUpgrade | FailUpgrade | Delete) => return None,

            (Removed, Accept | FinishCreate | FailCreate | Degrade | Recover | Pause | FinishPause | FailPause
                | Restore | FinishRestore | FailRestore | CancelRestore | RestoreBackup | Restart
                | FinishRestart | Resize | FinishResize | Upgrade | FinishUpgrade | FailUpgrade | Delete
                | FinishDelete) => return None,
        })
    }

    /// Whether the project's database responds.
    pub(crate) const fn is_active(self) -> bool {
        matches!(self, Status::ActiveHealthy | Status::ActiveUnhealthy)
    }

    /// Whether the project is paused or being paused: it counts against no quota.
    pub(crate) const fn is_resting(self) -> bool {
        matches!(self, Status::Pausing | Status::Inactive)
    }

    /// The published name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Status::Unknown => "UNKNOWN",
            Status::ComingUp => "COMING_UP",
            Status::ActiveHealthy => "ACTIVE_HEALTHY",
            Status::ActiveUnhealthy => "ACTIVE_UNHEALTHY",
            Status::InitFailed => "INIT_FAILED",
            Status::Pausing => "PAUSING",
            Status::Inactive => "INACTIVE",
            Status::PauseFailed => "PAUSE_FAILED",
            Status::Restoring => "RESTORING",
            Status::RestoreFailed => "RESTORE_FAILED",
            Status::Upgrading => "UPGRADING",
            Status::Restarting => "RESTARTING",
            Status::Resizing => "RESIZING",
            Status::GoingDown => "GOING_DOWN",
            Status::Removed => "REMOVED",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.as_str() == name)
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
