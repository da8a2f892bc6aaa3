//! Requests that worlds make: messages of the analytics server to webhooks and chats, and deliveries of the management API's
//! webhooks, in order for each address, posted over HTTP or HTTPS to the addresses that may be reached.

mod delivery;
mod fetch;
#[cfg_attr(not(feature = "tls"), path = "no_https.rs")]
mod https;
mod own;
mod post;

pub(crate) use self::delivery::{Delivery, OutgoingQueue};
pub use self::fetch::fetcher;
pub(crate) use self::own::{Listening, check};
pub(crate) use self::post::{POST_AGENT, Poster};
