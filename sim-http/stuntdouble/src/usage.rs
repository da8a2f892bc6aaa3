//! Messages about wrong usage, beyond those of the parser of arguments.

use std::io::{IsTerminal as _, Write as _};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};
use sim_core::engine::near;

/// What the parser says of a number, and plain words for it.
const NUMBERS: [(&str, &str); 4] = [
    ("invalid digit found in string", "must be a whole number"),
    ("cannot parse integer from empty string", "must be a whole number"),
    ("number too large to fit in target type", "is too large"),
    ("number too small to fit in target type", "is too small"),
];

/// How the names of this program's variables begin.
const PREFIX: &str = "STUNTDOUBLE_";

/// A variable that `exec` sets, and whose name is part of that of an option.
const POOLER: &str = "STUNTDOUBLE_POOLER";

/// Prints help, version or error, and ends the program.
pub(crate) fn exit(program: &Command, error: &clap::Error) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    let styled = error.render();
    let text = if std::io::stderr().is_terminal() { styled.ansi().to_string() } else { styled.to_string() };
    let text = NUMBERS.iter().fold(text, |text, (theirs, ours)| text.replace(theirs, ours));
    let from =
        variable_of(program, error).map(|name| format!("note: the value is that of the variable {name}\n"));
    let _ = write!(std::io::stderr(), "{text}{}", from.unwrap_or_default());
    std::process::exit(error.exit_code());
}

/// The variable that a wrong value came from, if it is not that of a flag.
fn variable_of(program: &Command, error: &clap::Error) -> Option<String> {
    if !matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue) {
        return None;
    }
    let Some(ContextValue::String(shown)) = error.get(ContextKind::InvalidArg) else { return None };
    let flag = shown.split([' ', '=', '[']).next().filter(|flag| flag.starts_with("--"))?;
    let is_given = std::env::args().any(|given| given.split('=').next() == Some(flag));
    let found = arguments(program).find(|argument| argument.get_long() == flag.get(2..))?;
    let variable = found.get_env().filter(|_| !is_given)?;
    Some(variable.to_string_lossy().into_owned())
}

/// Warns of a variable whose name is nearly that of an option. It has no effect.
pub(crate) fn warn_of_variables(program: &Command) {
    let known: Vec<String> = arguments(program)
        .filter_map(|argument| Some(argument.get_env()?.to_string_lossy().into_owned()))
        .filter(|name| name.starts_with(PREFIX))
        .chain([POOLER.to_owned()])
        .collect();
    let given = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for name in given.filter(|name| name.starts_with(PREFIX) && !known.contains(name)) {
        if let Some(meant) = nearest(&name, &known) {
            eprintln!("warning: {name}: has no effect; did you mean `{meant}`?");
        }
    }
}

/// The known variable with nearly this name. The common beginning does not count.
fn nearest<'k>(name: &str, known: &'k [String]) -> Option<&'k str> {
    let own = |name: &'k String| &name[PREFIX.len()..];
    let found = near::nearest(&name[PREFIX.len()..], known.iter().map(own))?;
    known.iter().find(|name| own(name) == found).map(String::as_str)
}

/// The arguments of all commands.
fn arguments(program: &Command) -> Box<dyn Iterator<Item = &Arg> + '_> {
    Box::new(program.get_arguments().chain(program.get_subcommands().flat_map(arguments)))
}
