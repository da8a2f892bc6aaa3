//! How far a long command has come, on a line of its own, for whoever sits at a terminal.

use std::io::{IsTerminal as _, Write as _, stderr};

/// Characters of the bar.
const WIDTH: usize = 30;

/// A line that is written anew with every step, and gone at the end.
pub(crate) struct Progress {
    total: usize,
    done: usize,
    is_seen: bool,
}

impl Progress {
    pub(crate) fn of(total: usize) -> Progress {
        Progress { total, done: 0, is_seen: stderr().is_terminal() }
    }

    /// One more is done; `note` is what there is to say by now.
    pub(crate) fn step(&mut self, note: &str) {
        self.done += 1;
        if self.is_seen {
            let Progress { total, done, .. } = *self;
            let full = WIDTH * done / total.max(1);
            write(&format!("\r\x1b[K[{:WIDTH$}] {done}/{total}  {note}", "#".repeat(full)));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_seen {
            write("\r\x1b[K");
        }
    }
}

fn write(text: &str) {
    let mut out = stderr().lock();
    // Whoever closed it does not want to know.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
