//! Posts the messages of the analytics server to webhooks and chats, and what webhooks of the management API deliver, and
//! reports the answers to the worlds.
//!
//! Messages to one address are posted one after the other, in the order in which they were sent; different addresses get theirs
//! at the same time. A world hands each message over once, so none is posted twice.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Weak};
use std::time::Duration;

use sim_core::Simulator;
use sim_core::analytics::outbox::{Channel, Message};
use sim_core::management::v2::webhooks::posting::Post;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::task::JoinSet;

use super::post::{Answer, Poster};
use crate::executor::Executor;
use crate::worlds::{Inside, Touch, World};

/// The most messages that wait to be posted, and the size of the queue. Further messages are not posted.
const WAITING_MAX: usize = 500;

/// Most posts at a time.
const POSTS_MAX: usize = 16;

/// The pauses before further attempts to reach a chat; a webhook gets one attempt only.
const RETRY_PAUSES: [Duration; 3] =
    [Duration::from_millis(100), Duration::from_millis(200), Duration::from_millis(400)];

/// Characters of an answer that the world keeps.
const ANSWER_CHARS: usize = 1000;

/// A message, and the world that sent it.
pub(crate) struct Outgoing {
    world: Weak<World>,
    letter: Letter,
}

/// What a world sends.
enum Letter {
    /// A message of the analytics server.
    Message(Message),
    /// A delivery of a webhook. The world itself says when it is posted again.
    Webhook(Post),
}

impl Letter {
    fn address(&self) -> &str {
        match self {
            Letter::Message(message) => &message.recipient,
            Letter::Webhook(post) => &post.url,
        }
    }

    async fn post(&self, poster: &Poster) -> Answer {
        match self {
            Letter::Message(message) => {
                let headers: Vec<_> =
                    message.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
                poster.post(&message.recipient, &headers, &message.body).await
            }
            Letter::Webhook(post) => {
                let headers: Vec<_> =
                    post.headers.iter().map(|(name, value)| (name.as_str(), value.0.as_str())).collect();
                poster.post(&post.url, &headers, &post.body).await
            }
        }
    }

    /// Whether another attempt is made soon.
    fn is_retried(&self) -> bool {
        matches!(self, Letter::Message(message) if message.channel == Channel::Chat)
    }
}

/// The queue into which worlds put their messages.
#[derive(Clone, Debug)]
pub(crate) struct OutgoingQueue(Sender<Outgoing>);

impl OutgoingQueue {
    /// A queue, and its other end for [`Delivery::run`].
    pub(crate) fn new() -> (OutgoingQueue, Receiver<Outgoing>) {
        let (sender, receiver) = mpsc::channel(WAITING_MAX);
        (OutgoingQueue(sender), receiver)
    }

    /// Takes the messages that `sim`, the simulator of `world`, has sent since the last call.
    pub(crate) fn collect(&self, world: &Weak<World>, sim: &mut Simulator) {
        let messages = sim.take_posts().into_iter().map(Letter::Message);
        let letters: Vec<_> =
            messages.chain(sim.take_webhook_posts().into_iter().map(Letter::Webhook)).collect();
        for letter in letters {
            let outgoing = Outgoing { world: Weak::clone(world), letter };
            if let Err(full) = self.0.try_send(outgoing) {
                let text = "not posted: too many messages wait to be";
                record_answer(sim, &full.into_inner().letter, Answer::failed(text));
            }
        }
    }
}

/// Posts the messages of the queue.
pub(crate) struct Delivery {
    poster: Arc<Poster>,
    waiting: VecDeque<Outgoing>,
    /// Addresses that a message is being posted to.
    busy: BTreeSet<String>,
    posts: JoinSet<String>,
    executor: Executor,
}

impl Delivery {
    pub(crate) fn new(poster: Poster, executor: Executor) -> Delivery {
        Delivery {
            executor,
            poster: Arc::new(poster),
            waiting: VecDeque::new(),
            busy: BTreeSet::new(),
            posts: JoinSet::new(),
        }
    }

    /// Posts until all senders of the queue are dropped.
    pub(crate) async fn run(mut self, mut queue: Receiver<Outgoing>) {
        loop {
            tokio::select! {
                taken = queue.recv(), if self.waiting.len() < WAITING_MAX => match taken {
                    Some(outgoing) => self.waiting.push_back(outgoing),
                    None => return,
                },
                Some(done) = self.posts.join_next() => {
                    let address = done.expect("posting does not panic, and a world catches its own panics");
                    self.busy.remove(&address);
                }
            }
            while self.posts.len() < POSTS_MAX
                && let Some(next) = self.next()
            {
                self.start(next);
            }
        }
    }

    /// The first message to an address that no other is being posted to.
    fn next(&mut self) -> Option<Outgoing> {
        let free = |outgoing: &Outgoing| !self.busy.contains(outgoing.letter.address());
        let index = self.waiting.iter().position(free)?;
        self.waiting.remove(index)
    }

    fn start(&mut self, Outgoing { world, letter }: Outgoing) {
        let (poster, executor) = (Arc::clone(&self.poster), self.executor.clone());
        self.busy.insert(letter.address().to_owned());
        self.posts.spawn(async move {
            let answer = deliver(&poster, &letter).await;
            let address = letter.address().to_owned();
            if let Some(world) = world.upgrade() {
                let record = async move {
                    let record = |inside: &mut Inside| record_answer(&mut inside.sim, &letter, answer);
                    world.with(Touch::Writes, record).await
                };
                // The panic hook reports a panic, and the next call to this world reports it again.
                let _ = executor.run(record).await;
            }
            address
        });
    }
}

async fn deliver(poster: &Poster, letter: &Letter) -> Answer {
    let mut answer = letter.post(poster).await;
    if letter.is_retried() {
        for pause in RETRY_PAUSES {
            if answer.status.is_none_or(|status| status < 400) {
                break;
            }
            tokio::time::sleep(pause).await;
            answer = letter.post(poster).await;
        }
    }
    answer
}

fn record_answer(sim: &mut Simulator, letter: &Letter, answer: Answer) {
    let mut text: String = answer.text.chars().take(ANSWER_CHARS).collect();
    if text.len() < answer.text.len() {
        text.push('…');
    }
    let recorded = match letter {
        Letter::Message(message) => sim.answer_post(message, answer.status, &text),
        Letter::Webhook(post) => sim.answer_webhook_post(post, answer.status, answer.headers, &text),
    };
    recorded.expect("the control API may answer any message");
}
