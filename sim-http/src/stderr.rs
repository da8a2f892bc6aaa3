//! Lines on standard error, written by a thread of their own: a call never waits for the reader of a log.

use std::collections::VecDeque;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Write};
use std::mem;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

/// Most bytes that wait to be written; further lines are dropped.
const WAITING_MAX: usize = 1 << 20;

/// Writes a line to standard error without waiting. While standard error is not read, lines are dropped; the next line that is
/// written says how many.
///
/// ```
/// sim_http::write_stderr("GET /v1/projects 200 38µs");
/// ```
pub fn write_stderr(line: impl Display) {
    QUEUE.push(format!("{line}\n"));
}

/// Waits until all lines are written, at most `limit`.
pub fn flush_stderr(limit: Duration) {
    let deadline = Instant::now() + limit;
    let mut state = QUEUE.state.lock();
    while !state.waiting.is_empty() || state.is_writing {
        if QUEUE.written.wait_until(&mut state, deadline).timed_out() {
            return;
        }
    }
}

static QUEUE: LazyLock<&'static Queue> = LazyLock::new(|| {
    let queue: &Queue = Box::leak(Box::default());
    let work = || queue.write_to(unlocked_stderr());
    // If the thread cannot be started, lines are dropped.
    let _ = thread::Builder::new().name("stuntdouble-log".to_owned()).spawn(work);
    queue
});

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    pushed: Condvar,
    written: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<String>,
    bytes: usize,
    dropped: u64,
    is_writing: bool,
    is_closed: bool,
}

impl Queue {
    fn push(&self, line: String) {
        let mut state = self.state.lock();
        if state.bytes + line.len() > WAITING_MAX {
            state.dropped += 1;
            return;
        }
        state.bytes += line.len();
        state.waiting.push_back(line);
        drop(state);
        self.pushed.notify_one();
    }

    /// Writes lines as they come, until the queue is closed and empty.
    fn write_to(&self, mut out: impl Write) {
        let mut state = self.state.lock();
        loop {
            while state.waiting.is_empty() && state.dropped == 0 {
                if state.is_closed {
                    return;
                }
                self.pushed.wait(&mut state);
            }
            let mut text: String = mem::take(&mut state.waiting).into_iter().collect();
            let dropped = mem::take(&mut state.dropped);
            if dropped > 0 {
                text.push_str(&format!("{dropped} lines were dropped here: standard error was not read\n"));
            }
            (state.bytes, state.is_writing) = (0, true);
            drop(state);
            // Standard error may be closed.
            let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            state = self.state.lock();
            state.is_writing = false;
            self.written.notify_all();
        }
    }
}

/// Standard error without the lock of the standard library. A thread that waits in a write must not block a thread that panics.
fn unlocked_stderr() -> Box<dyn Write> {
    match duplicate() {
        Ok(file) => Box::new(file),
        Err(_) => Box::new(io::stderr()),
    }
}

#[cfg(unix)]
fn duplicate() -> io::Result<File> {
    use std::os::fd::AsFd as _;
    io::stderr().as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(windows)]
fn duplicate() -> io::Result<File> {
    use std::os::windows::io::AsHandle as _;
    io::stderr().as_handle().try_clone_to_owned().map(File::from)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// A pipe whose reader takes one text at a time.
    struct Pipe {
        texts: Sender<String>,
        permits: Receiver<()>,
    }

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.permits.recv();
            let _ = self.texts.send(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_beyond_the_bound_are_dropped_and_counted() {
        let queue = Queue::default();
        let ((texts, written), (permit, permits)) = (channel(), channel());
        thread::scope(|scope| {
            scope.spawn(|| queue.write_to(Pipe { texts, permits }));
            let line = format!("{}\n", "x".repeat(1023));
            let count = 3 * WAITING_MAX / line.len();
            (0..count).for_each(|_| queue.push(line.clone()));
            queue.state.lock().is_closed = true;
            queue.pushed.notify_one();
            drop(permit);
            let text: String = written.iter().collect();
            let lines = text.lines().filter(|line| line.starts_with('x')).count();
            let told: usize = text
                .lines()
                .filter_map(|line| line.strip_suffix(" lines were dropped here: standard error was not read"))
                .map(|count| count.parse::<usize>().expect("a number"))
                .sum();
            assert!(told > 0, "the pipe is not read");
            assert_eq!(lines + told, count);
        });
    }
}
