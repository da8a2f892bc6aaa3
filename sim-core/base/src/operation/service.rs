//! A service: its resources and their operations, by section.

use super::{Entry, Meta};
use crate::cx::Cx;
use crate::db::Db;
use crate::edition::Edition;
use crate::ends::End;
use crate::error::Error;
use crate::jobs::TaskEntry;
use crate::manner::Manner;
use crate::store::DatabaseKind;
use crate::time::Timestamp;
use crate::view::View;
use crate::world::World;

/// Checks that the caller has at least the operation's role in the organization that a path parameter's value belongs to,
/// and that the project has what the operation [needs](Meta::needs). Refuses with 404 if the value is unknown, and with 403
/// if the role is too low.
pub type Guard = fn(&mut Cx<'_>, &str, &Meta) -> Result<(), Error>;

/// Everything that one resource consists of.
pub struct Resource {
    /// Its tables, as SQL.
    pub tables: &'static str,
    /// Its operations, in lifecycle order.
    pub operations: &'static [Entry],
    /// Its background work.
    pub tasks: &'static [TaskEntry],
}

/// A group of resources that users of the service look for together: projects, networking, branches.
#[derive(Clone, Copy)]
pub struct Section {
    /// Its name, as shown in headings: `Projects`.
    pub title: &'static str,
    /// Its resources.
    pub resources: &'static [Resource],
    /// The views of their rows.
    pub views: &'static [&'static [View]],
}

/// A simulated service, which the engine runs. The engine itself knows no resource.
#[derive(Clone, Copy)]
pub struct Service {
    /// Its name in a world of several services: `management`.
    pub name: &'static str,
    /// The published title.
    pub title: &'static str,
    /// How it behaves on the wire.
    pub manner: &'static Manner,
    /// How it behaves at paths that begin like this, where that differs.
    pub manners: &'static [(&'static str, &'static Manner)],
    /// Its resources, by section.
    pub sections: &'static [Section],
    /// The blank image that the engine's `Registry::blank` made of their tables in advance. If it does not fit the
    /// tables, each process makes its own.
    pub blank: &'static [u8],
    /// Guards of path prefixes that end in a parameter, such as `/v1/projects/{ref}`.
    pub guards: &'static [(&'static str, Guard)],
    /// Parts of paths, and the published tag of the operations whose path contains them; the first part counts.
    pub tags: &'static [(&'static str, &'static str)],
    /// The first edition in which enums of answers are open: a client must expect members that the edition does not list.
    /// Enums with a single member stay closed, unless their schema has `x-open`, and so do those with `x-closed`.
    pub open_enums: Option<Edition>,
    /// What ends by itself, at a time that the agenda shows.
    pub ends: &'static [End],
    /// What a test has decided about work to come and no work has used yet, for people to read.
    pub unused: fn(Db<'_>, Timestamp) -> Vec<String>,
    /// The databases inside its worlds, if there are any.
    pub databases: Option<DatabaseKind>,
    /// Inserts the rows of a new world.
    pub seed: fn(&mut Cx<'_>, &World) -> Result<(), Error>,
}

impl Service {
    /// This service with resources of your own as well. Make it once, in a `LazyLock`: its list of sections is never freed.
    #[must_use]
    pub fn with(self, own: Section) -> Service {
        let sections = [self.sections, &[own]].concat().leak();
        Service { sections, ..self }
    }

    /// How it behaves at `path`.
    pub fn manner_at(&self, path: &str) -> &'static Manner {
        let own = self.manners.iter().find(|(prefix, _)| path.starts_with(prefix));
        own.map_or(self.manner, |(_, manner)| manner)
    }

    /// All its resources, in order.
    pub fn resources(&self) -> impl Iterator<Item = &'static Resource> {
        self.sections.iter().flat_map(|section| section.resources)
    }

    /// All views of its rows, in order.
    pub fn views(&self) -> impl Iterator<Item = &'static View> {
        self.sections.iter().flat_map(|section| section.views).copied().flatten()
    }
}
