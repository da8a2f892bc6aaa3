//! Runs the tasks of a server on as many threads as they need, so that a long call in one world delays nobody else.
//!
//! A thread waits for the sockets of clients, polls the tasks that became ready, and waits again, so a short call stays on one
//! thread. A watchman thread checks every few milliseconds which threads are still in the same task. Such a thread is late, and
//! another one takes its place. So there are as many threads as long calls, and in addition as many as there are processors.
//!
//! Timers, the listener and outgoing connections are Tokio's. Its runtime has a thread of its own, and wakes tasks here.

mod reactor;
mod task;
mod worker;

use std::collections::{BTreeMap, VecDeque};
use std::future::Future;
use std::io;
use std::mem;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::sync::{Notify, oneshot};

use self::reactor::Reactor;
pub(crate) use self::reactor::Socket;
use self::task::Task;

/// Most threads of a server. Connections are limited too, and each can start one long call.
const THREADS_MAX: usize = 1024;

/// The most idle threads that are kept.
const SPARE_MAX: usize = 4;

/// How long a stopping server waits for threads that are not known to be late.
const STOP_TIME: Duration = Duration::from_millis(300);

/// The executor of a server. A clone is a second handle.
#[derive(Clone)]
pub(crate) struct Executor(Arc<Shared>);

struct Shared {
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
    /// Ends the thread of the runtime.
    stop: Notify,
    reactor: Arc<Reactor>,
    /// How many threads may poll at the same time, not counting late ones.
    cores: usize,
    state: Mutex<State>,
    /// Idle threads wait for it.
    call: Condvar,
    /// The watchman waits for it.
    watch: Condvar,
    /// A thread ended.
    ended: Condvar,
    /// Whether the watchman sleeps until a task is polled.
    watchman_sleeps: AtomicBool,
    is_stopped: AtomicBool,
}

#[derive(Default)]
struct State {
    ready: VecDeque<Arc<Task>>,
    /// All tasks, so that they can be dropped at the end.
    tasks: BTreeMap<u64, Weak<Task>>,
    workers: BTreeMap<u64, Worker>,
    /// The last number that a task or a thread got.
    last_number: u64,
    /// The number of threads that are neither idle nor late, including threads that are waking up.
    lively: usize,
    idle: usize,
    /// The number of idle threads that were called and have not woken up yet.
    called: usize,
    /// Whether a thread is waiting for the reactor.
    is_driven: bool,
    /// The number of tasks polled since a thread last checked the reactor.
    polled: u32,
    /// Above 0 if events arrived while all threads were busy.
    pressure: u32,
}

/// A thread.
struct Worker {
    /// Counts the beginnings and ends of polls: the number is odd during a poll.
    polls: Arc<AtomicU64>,
    /// The number that the watchman saw last.
    seen: u64,
    /// Whether another thread has taken its place.
    is_late: bool,
}

impl Executor {
    /// An executor whose tasks wait until [`start`](Executor::start).
    pub(crate) fn new() -> io::Result<Executor> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(Executor(Arc::new(Shared {
            runtime: Some(runtime),
            stop: Notify::new(),
            reactor: Arc::new(Reactor::new()?),
            cores: thread::available_parallelism().map_or(1, usize::from),
            state: Mutex::default(),
            call: Condvar::new(),
            watch: Condvar::new(),
            ended: Condvar::new(),
            watchman_sleeps: AtomicBool::new(false),
            is_stopped: AtomicBool::new(false),
        })))
    }

    /// Tokio's runtime, for sockets that are opened before the start.
    pub(crate) fn runtime(&self) -> &Runtime {
        self.0.runtime()
    }

    /// The connection of a client, for the tasks of this executor.
    pub(crate) fn socket(&self, stream: TcpStream) -> io::Result<Socket> {
        Socket::new(stream.into_std()?, &self.0.reactor)
    }

    /// Starts the first thread, the watchman, and the thread of Tokio's runtime.
    pub(crate) fn start(&self) -> io::Result<()> {
        let shared = Arc::clone(&self.0);
        let timers = move || shared.runtime().block_on(shared.stop.notified());
        thread::Builder::new().name("stuntdouble-time".to_owned()).spawn(timers)?;
        let shared = Arc::clone(&self.0);
        thread::Builder::new().name("stuntdouble-watch".to_owned()).spawn(move || shared.watch())?;
        let mut state = self.0.state.lock();
        self.0.start_thread(&mut state)
    }

    /// Starts a task.
    pub(crate) fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        let mut state = self.0.state.lock();
        state.last_number += 1;
        let number = state.last_number;
        let task = Task::new(number, Box::pin(future), &self.0);
        state.tasks.insert(number, Arc::downgrade(&task));
        drop(state);
        self.0.push(task);
    }

    /// Starts a task and returns its result. There is no result if the task panics or the server stops.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
    ) -> oneshot::Receiver<T> {
        let (sender, receiver) = oneshot::channel();
        self.spawn(async move {
            // The receiver may have been dropped.
            let _ = sender.send(future.await);
        });
        receiver
    }

    /// Drops all tasks and ends the threads. A late thread ends after its task.
    pub(crate) fn stop(&self) {
        let shared = &*self.0;
        shared.is_stopped.store(true, Ordering::SeqCst);
        let mut state = shared.state.lock();
        let (ready, tasks) = (mem::take(&mut state.ready), mem::take(&mut state.tasks));
        shared.call.notify_all();
        shared.watch.notify_all();
        drop(state);
        shared.reactor.ring();
        shared.stop.notify_one();
        drop(ready);
        tasks.values().filter_map(Weak::upgrade).for_each(|task| task.drop_future());
        let deadline = Instant::now() + STOP_TIME;
        let mut state = shared.state.lock();
        while state.workers.values().any(|worker| !worker.is_late) {
            if shared.ended.wait_until(&mut state, deadline).timed_out() {
                return;
            }
        }
    }
}

impl<F: Future<Output: Send> + Send + 'static> hyper::rt::Executor<F> for Executor {
    fn execute(&self, future: F) {
        self.spawn(async move { drop(future.await) });
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // Does not wait for name lookups.
        self.runtime.take().into_iter().for_each(Runtime::shutdown_background);
    }
}

impl Shared {
    fn runtime(&self) -> &Runtime {
        self.runtime.as_ref().expect("the runtime exists until the executor is dropped")
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::SeqCst)
    }

    /// Puts a task into the queue, and makes sure that a thread takes it.
    fn push(self: &Arc<Shared>, task: Arc<Task>) {
        let mut state = self.state.lock();
        if self.is_stopped() {
            drop(state);
            return task.drop_future();
        }
        state.ready.push_back(task);
        let comes_back = match worker::is_of(self) {
            worker::Work::Waits => true,
            worker::Work::Polls => state.ready.len() == 1,
            worker::Work::None => false,
        };
        if !comes_back && !state.is_driven {
            self.call_another(&mut state);
        }
        let rings = !comes_back && state.is_driven;
        drop(state);
        if rings {
            self.reactor.ring();
        }
    }

    /// Calls one more thread to work, if fewer threads work than there are processors.
    fn call_another(self: &Arc<Shared>, state: &mut State) {
        if state.lively >= self.cores || state.workers.is_empty() {
            return;
        }
        if state.idle > state.called {
            state.called += 1;
            state.lively += 1;
            self.call.notify_one();
        } else if state.workers.len() < THREADS_MAX {
            // If no thread can be started, the watchman tries again.
            let _ = self.start_thread(state);
        }
    }

    fn start_thread(self: &Arc<Shared>, state: &mut State) -> io::Result<()> {
        state.last_number += 1;
        let (number, polls) = (state.last_number, Arc::<AtomicU64>::default());
        let (shared, counter) = (Arc::clone(self), Arc::clone(&polls));
        let thread = thread::Builder::new().name("stuntdouble".to_owned());
        thread.spawn(move || shared.work(number, &counter))?;
        state.workers.insert(number, Worker { polls, seen: 0, is_late: false });
        state.lively += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    fn started() -> Executor {
        let executor = Executor::new().expect("a runtime");
        executor.start().expect("threads");
        executor
    }

    /// A task that computes until the sender is dropped.
    fn computes(executor: &Executor) -> mpsc::Sender<()> {
        let (end, ended) = mpsc::channel::<()>();
        let (begin, begun) = mpsc::channel();
        executor.spawn(async move {
            begin.send(()).expect("the test waits");
            let _ = ended.recv();
        });
        begun.recv().expect("it begins");
        end
    }

    #[test]
    fn long_tasks_delay_no_others() {
        let executor = started();
        let long: Vec<_> = (0..40).map(|_| computes(&executor)).collect();
        for number in 0..100 {
            let short = executor.run(async move {
                tokio::time::sleep(Duration::from_micros(10)).await;
                number
            });
            assert_eq!(short.blocking_recv().expect("it is done"), number);
        }
        drop(long);
        executor.stop();
    }

    #[test]
    fn a_task_that_panics_ends_alone() {
        let executor = started();
        assert!(executor.run(async { panic!("as asked") }).blocking_recv().is_err());
        assert_eq!(executor.run(async { 7 }).blocking_recv(), Ok(7));
        executor.stop();
    }

    #[test]
    fn tasks_wake_one_another() {
        let executor = started();
        let (there, mut came) = tokio::sync::mpsc::channel(1);
        let (back, mut returned) = tokio::sync::mpsc::channel(1);
        executor.spawn(async move {
            while let Some(number) = came.recv().await {
                back.send(number + 1).await.expect("the other task receives");
            }
        });
        let last = executor.run(async move {
            let mut number = 0;
            while number < 10_000 {
                there.send(number).await.expect("the other task receives");
                number = returned.recv().await.expect("it answers");
            }
            number
        });
        assert_eq!(last.blocking_recv(), Ok(10_000));
        executor.stop();
    }

    #[test]
    fn a_stop_drops_tasks_that_wait_and_does_not_wait_for_late_ones() {
        struct Dropped(mpsc::Sender<()>);
        impl Drop for Dropped {
            fn drop(&mut self) {
                let _ = self.0.send(());
            }
        }
        let executor = started();
        let (sender, dropped) = mpsc::channel();
        let waits = Dropped(sender);
        executor.spawn(async move {
            let _waits = waits;
            std::future::pending::<()>().await;
        });
        let long = computes(&executor);
        executor.stop();
        assert_eq!(dropped.try_recv(), Ok(()));
        drop(long);
    }
}
