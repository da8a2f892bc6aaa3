//! The functions that extensions bring and that the engine does not make from a script, as the catalog shows them. Few of them
//! are called by name; indexes and operators call the others.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::catalog::{Aggregation, Argument, Oid, PG_CATALOG, Part, Routine};
use crate::describe;
use crate::types::{BUILTINS, Type};

/// The functions of each extension, below its name in brackets. The letters in front tell the kind (`f` function, `a` aggregate),
/// the volatility, `s` for strict, `r` for a function that returns a set, and the use in parallel queries.
const LISTED: &str = include_str!("extension_functions.txt");

/// The first number of a function that is not one of the engine's own.
const FIRST: Oid = 14_000;

/// The functions of an extension, each with its number. Their schema and owner are those of the extension.
pub(crate) fn functions(extension: &str) -> &'static [(Oid, Routine)] {
    static ALL: LazyLock<BTreeMap<&str, Vec<(Oid, Routine)>>> = LazyLock::new(numbered);
    ALL.get(extension).map_or(&[], Vec::as_slice)
}

/// The names of these functions, each as often as it has overloads.
pub(crate) fn names(extension: &str) -> impl Iterator<Item = &'static str> {
    LINES.get(extension).into_iter().flatten().filter_map(|(_, line)| name(line))
}

/// The lines of each extension, with the numbers of their functions unless these are functions of the engine.
static LINES: LazyLock<BTreeMap<&str, Vec<(Oid, &str)>>> = LazyLock::new(|| {
    let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let mut extension = "";
    for (line, oid) in LISTED.lines().zip(FIRST..) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(name) => extension = name,
            None => all.entry(extension).or_default().push((oid, line)),
        }
    }
    all
});

fn numbered() -> BTreeMap<&'static str, Vec<(Oid, Routine)>> {
    let own: BTreeMap<_, Oid> = describe::functions_of_extensions()
        .map(|(oid, function, of)| ((of, function.name, function.arguments), oid))
        .collect();
    let of_extension = |(extension, lines): (&&'static str, &Vec<(Oid, &'static str)>)| {
        let functions = lines.iter().filter_map(|(oid, line)| {
            let routine = read(line)?;
            let inputs: Vec<Type> = routine.inputs().map(|argument| argument.type_).collect();
            let own = own.get(&(*extension, routine.name.as_str(), inputs.as_slice()));
            Some((*own.unwrap_or(oid), routine))
        });
        (*extension, functions.collect())
    };
    LINES.iter().map(of_extension).collect()
}

fn name(line: &'static str) -> Option<&'static str> {
    Some(line.split_once(' ')?.1.split_once('(')?.0)
}

/// Reads a line such as `fisrs each(hs hstore, out key text, out value text) record`.
fn read(line: &str) -> Option<Routine> {
    let (letters, signature) = line.split_once(' ')?;
    let [kind, volatility, strict, set, parallel] = letters.chars().collect::<Vec<_>>()[..] else {
        return None;
    };
    let (name, rest) = signature.split_once('(')?;
    let (arguments, returns) = rest.rsplit_once(") ")?;
    let arguments = arguments.split(", ").filter(|argument| !argument.is_empty()).map(argument);
    let mut routine = Routine::new(PG_CATALOG, name.to_owned(), String::new());
    routine.arguments = arguments.collect::<Option<_>>()?;
    routine.returns = type_named(returns)?;
    routine.returns_set = set == 'r';
    routine.language = "c".to_owned();
    routine.body = name.to_owned();
    routine.volatility = volatility;
    routine.strict = strict == 's';
    routine.parallel = parallel;
    if kind == 'a' {
        routine.language = "internal".to_owned();
        routine.aggregation = Some(aggregation(routine.returns));
    }
    Some(routine)
}

/// Reads an argument: its type, a name before it if it has one, and `out` in front if it is one.
fn argument(text: &str) -> Option<Argument> {
    let (mode, text) = text.strip_prefix("out ").map_or(('i', text), |text| ('o', text));
    let (name, type_) =
        text.split_once(' ').map_or((None, text), |(name, type_)| (Some(name.to_owned()), type_));
    Some(Argument { name, type_: type_named(type_)?, mode, default: None })
}

/// What makes a function an aggregate. The engine has its own code for how it is computed.
fn aggregation(state: Type) -> Aggregation {
    let step = Part { name: "aggregate_dummy".to_owned(), routine: None, strict: false };
    Aggregation { step, state, initial: None, finish: None, finish_extra: false }
}

/// The type that the catalog calls so: `int4`, `_text`.
fn type_named(name: &str) -> Option<Type> {
    let element = name.strip_prefix('_').unwrap_or(name);
    let found = BUILTINS.iter().find(|builtin| builtin.name == element)?.id;
    if element.len() == name.len() { Some(found) } else { found.array() }
}
