//! What the analytics server sends to webhooks and chats: posted by a task of the server, the answers told to the worlds.
//!
//! To one address one message goes after the other, in the order in which they were sent; to different ones at the same
//! time. A world gives each message out once, so none is posted twice.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Weak};
use std::time::Duration;

use sim_core::Simulator;
use sim_core::analytics::outbox::{Channel, Message};
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::task::JoinSet;

use super::post::{Answer, Dialer};
use crate::worlds::world::{Touch, World};

/// Messages that may wait here, and as many on their way here; further ones are not posted.
const WAITING_MAX: usize = 500;

/// Messages under way at a time.
const UNDER_WAY_MAX: usize = 16;

/// How long to wait before each further attempt to tell a chat; a webhook gets one attempt only.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(100), Duration::from_millis(200), Duration::from_millis(400)];

/// Characters of an answer that are kept.
const ANSWER_CHARS: usize = 1000;

/// A message, and the world that sent it.
pub(crate) struct Outgoing {
    world: Weak<World>,
    message: Message,
}

/// Where worlds hand over what they send.
#[derive(Clone, Debug)]
pub(crate) struct Tray(Sender<Outgoing>);

impl Tray {
    /// A tray, and its other end, which [`Courier::run`] takes from.
    pub(crate) fn new() -> (Tray, Receiver<Outgoing>) {
        let (sender, receiver) = mpsc::channel(WAITING_MAX);
        (Tray(sender), receiver)
    }

    /// Takes what `sim`, which is in `world`, has sent since the last time.
    pub(crate) fn collect(&self, world: &Weak<World>, sim: &mut Simulator) {
        for message in sim.take_posts() {
            let outgoing = Outgoing { world: Weak::clone(world), message };
            if let Err(full) = self.0.try_send(outgoing) {
                let text = "not posted: too many messages wait to be";
                tell(sim, &full.into_inner().message, &Answer::none(text));
            }
        }
    }
}

/// Posts what is in the tray.
pub(crate) struct Courier {
    dialer: Arc<Dialer>,
    waiting: VecDeque<Outgoing>,
    /// Addresses that a message is under way to.
    busy: BTreeSet<String>,
    under_way: JoinSet<String>,
}

impl Courier {
    pub(crate) fn new(dialer: Dialer) -> Courier {
        Courier {
            dialer: Arc::new(dialer),
            waiting: VecDeque::new(),
            busy: BTreeSet::new(),
            under_way: JoinSet::new(),
        }
    }

    /// Posts until nobody has a tray any more.
    pub(crate) async fn run(mut self, mut tray: Receiver<Outgoing>) {
        loop {
            tokio::select! {
                taken = tray.recv(), if self.waiting.len() < WAITING_MAX => match taken {
                    Some(outgoing) => self.waiting.push_back(outgoing),
                    None => return,
                },
                Some(done) = self.under_way.join_next() => {
                    let address = done.expect("posting does not panic: a world catches what does");
                    self.busy.remove(&address);
                }
            }
            while self.under_way.len() < UNDER_WAY_MAX
                && let Some(next) = self.next()
            {
                self.start(next);
            }
        }
    }

    /// The first message to an address that none is under way to.
    fn next(&mut self) -> Option<Outgoing> {
        let free = |outgoing: &Outgoing| !self.busy.contains(&outgoing.message.recipient);
        let index = self.waiting.iter().position(free)?;
        self.waiting.remove(index)
    }

    fn start(&mut self, Outgoing { world, message }: Outgoing) {
        let dialer = Arc::clone(&self.dialer);
        self.busy.insert(message.recipient.clone());
        self.under_way.spawn(async move {
            let answer = deliver(&dialer, &message).await;
            if let Some(world) = world.upgrade() {
                // A panic is reported by the panic hook, and again by the next call that meets it.
                let _ = world.with(Touch::Writes, |inside| tell(&mut inside.sim, &message, &answer));
            }
            message.recipient
        });
    }
}

async fn deliver(dialer: &Dialer, message: &Message) -> Answer {
    let mut answer = dialer.post(&message.recipient, &message.body).await;
    if message.channel == Channel::Chat {
        for pause in PAUSES {
            if answer.status.is_none_or(|status| status < 400) {
                break;
            }
            tokio::time::sleep(pause).await;
            answer = dialer.post(&message.recipient, &message.body).await;
        }
    }
    answer
}

fn tell(sim: &mut Simulator, message: &Message, answer: &Answer) {
    let mut text: String = answer.text.chars().take(ANSWER_CHARS).collect();
    if text.len() < answer.text.len() {
        text.push('…');
    }
    sim.answer_post(message, answer.status, &text).expect("who drives the simulator may answer any message");
}
