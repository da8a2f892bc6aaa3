//! The help of the program: its commands in groups, examples, exit codes.

use clap::Command;

/// The commands by what they are for.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Run a server", &["serve", "exec", "tools", "analytics", "doctor"]),
    (
        "Drive a running server",
        &[
            "state", "advance", "journal", "explain", "query", "fault", "outcome", "world", "fork",
            "snapshot", "restore", "reset", "diff",
        ],
    ),
    ("Test a client", &["sweep", "lens", "plans", "replay", "shrink", "coverage"]),
    ("Describe a world", &["scenario", "seed-schema", "profile"]),
    ("Read", &["guide", "routes", "openapi"]),
    ("Set up", &["completions", "man"]),
];

const ALL: &str = "Examples:
  stuntdouble serve                                 start a server; prints its URL and token
  stuntdouble exec -- pytest                        run tests beside a server
  stuntdouble fault add lost_answer --nth 2         lose the answer to the second call
  stuntdouble advance 15m                           advance the clock
  stuntdouble explain 12                            why was call 12 refused?

Exit codes: 0 done, 1 something was found (a bad run, a difference, a missed goal), 2 wrong usage or impossible.
`stuntdouble COMMAND --help` has the details of a command.";

pub(crate) const SERVE: &str = "Examples:
  stuntdouble serve --deterministic                 the same answers in each run
  stuntdouble serve --scenario paused-project       start with a paused project
  stuntdouble serve --self-log                      with the analytics server, which logs the calls
  stuntdouble serve --log json 2> calls.jsonl       write a line of JSON for each request

Exit codes: 0 stopped by Ctrl-C, SIGTERM or SIGHUP; 2 the server can't start.";

pub(crate) const EXEC: &str = "Examples:
  stuntdouble exec -- pytest
  stuntdouble exec --deterministic -- sh -c 'curl -s $STUNTDOUBLE_URL/_sim/clock'
  stuntdouble exec --faults '{\"on\": {\"path\": \"*\"}, \"effect\": {\"kind\": \"lost_answer\"}}' -- npm test

Exit codes: that of COMMAND; 128 + N if signal N ended it; 127 if it does not exist; 126 if it can't be run; 2 if the server can't
start.";

pub(crate) const SWEEP: &str = "Examples:
  stuntdouble sweep -- python3 client.py
  stuntdouble sweep --effects lost_answer,503 --outage 10s -- ./client

Exit codes: 0 all runs are good, 1 a run is bad, 2 the sweep can't be made, 127 there is no such command, 130 interrupted: the report
has the finished runs.";

pub(crate) const LENS: &str = "Example:
  stuntdouble lens --runners 10,25 -- python3 client.py

Exit codes: 0 the client waits when it is told to, 1 it does not, 2 it can't be measured, 127 there is no such command, 130
interrupted: the report has the first run, if it is finished.";

pub(crate) const REPLAY: &str = "Exit codes: 0 all answers are the same, 1 one is not, 2 the file can't be replayed, 130 interrupted: the output has the number
of calls that were the same.";

pub(crate) const TOOLS: &str = "Example, the settings of a tool client:
  {\"command\": \"stuntdouble\", \"args\": [\"tools\", \"--deterministic\"]}

Exit codes: 0 standard input has ended; 2 the server can't start.";

/// The program with its commands listed in groups.
pub(crate) fn grouped(command: Command) -> Command {
    let named: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let others: Vec<&str> =
        command.get_subcommands().map(Command::get_name).filter(|name| !named.contains(name)).collect();
    let groups = GROUPS.iter().map(|(title, names)| group(&command, title, names));
    let text: String = groups.chain([group(&command, "Other", &others)]).collect();
    let template =
        format!("{{about}}\n\n{{usage-heading}} {{usage}}\n\n{text}Options:\n{{options}}{{after-help}}");
    command.help_template(template).after_help(ALL)
}

fn group(command: &Command, title: &str, names: &[&str]) -> String {
    let line = |name: &str| {
        let about = command.find_subcommand(name)?.get_about()?.to_string();
        Some(format!("  {name:<12} {about}\n"))
    };
    let lines: String = names.iter().copied().filter_map(line).collect();
    if lines.is_empty() { String::new() } else { format!("{title}:\n{lines}\n") }
}
