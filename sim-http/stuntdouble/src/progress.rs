//! A progress bar on standard error, if that is a terminal.

use std::io::{IsTerminal as _, Write as _, stderr};

/// The width of the bar, in characters.
const WIDTH: usize = 30;

/// A line that is rewritten with every step and removed at the end.
pub(crate) struct Progress {
    total: usize,
    done: usize,
    is_terminal: bool,
}

impl Progress {
    pub(crate) fn of(total: usize) -> Progress {
        Progress { total, done: 0, is_terminal: stderr().is_terminal() }
    }

    /// Work of an unknown number of steps: they are counted, without a bar.
    pub(crate) fn open() -> Progress {
        Progress::of(0)
    }

    /// Counts one more step, and shows `note`.
    pub(crate) fn step(&mut self, note: &str) {
        self.done += 1;
        if self.is_terminal {
            write(&self.line(note));
        }
    }

    fn line(&self, note: &str) -> String {
        let Progress { total, done, .. } = *self;
        match (WIDTH * done).checked_div(total) {
            Some(full) => format!("\r\x1b[K[{:WIDTH$}] {done}/{total}  {note}", "#".repeat(full)),
            None => format!("\r\x1b[K{done} tries  {note}"),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_terminal {
            write("\r\x1b[K");
        }
    }
}

fn write(text: &str) {
    let mut out = stderr().lock();
    // Standard error may be closed.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
