//! The worlds behind the port: the choice of a request's world, one world under its lock, the time of its call, its clock and real
//! time, its services, and events for watchers.

mod call_watch;
mod clock;
mod holder;
mod hub;
mod services;
mod unused;
mod waiting;
mod watch;
mod world;

pub(crate) use self::clock::SPEED_MAX;
pub use self::clock::now;
pub(crate) use self::hub::{Hub, MAIN, WORLD_HEADER, check_name, split_prefix, without_token};
pub(crate) use self::services::simulator_of;
pub use self::services::{Service, Services};
pub(crate) use self::waiting::wait_for;
pub(crate) use self::watch::{Cursor, Watcher};
pub use self::watch::{Doings, News};
pub use self::world::SimGuard;
pub(crate) use self::world::{Counts, Inside, Kept, Touch, World, guarded};
