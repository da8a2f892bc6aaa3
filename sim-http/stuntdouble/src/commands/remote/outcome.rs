//! `stuntdouble outcome restore fail`: how the next work of a kind ends.

use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::json;
use sim_core::management::outcome::{NextOutcome, Work};

use super::Reach;
use super::length::Length;
use crate::{Failure, say};

/// Arguments of `outcome`.
#[derive(Args)]
#[command(after_help = "Examples:
  stuntdouble outcome restore fail       the next restore fails
  stuntdouble outcome create never       the next project stays COMING_UP
  stuntdouble outcome restore usual      take the decision back
  stuntdouble outcome                    print the decisions that no work has used")]
pub(crate) struct Arguments {
    /// Kind of work; without it, the decisions are printed
    #[arg(value_parser = works(), hide_possible_values = true, requires = "outcome")]
    work: Option<String>,
    /// How it ends; usual takes the decision back
    #[arg(value_parser = ["succeed", "fail", "never", "usual"])]
    outcome: Option<String>,
    /// How long the work takes, as in 10m [default: the usual time]
    #[arg(long, value_name = "LENGTH", requires = "work")]
    after: Option<Length>,
    /// Only work on this project [default: on any]
    #[arg(long, value_name = "REF", requires = "work")]
    project: Option<String>,
    /// All work of that kind, until the next decision
    #[arg(long, requires = "work")]
    lasting: bool,
    #[command(flatten)]
    reach: Reach,
}

/// The kinds of work, which completions list.
fn works() -> PossibleValuesParser {
    let name =
        |work| serde_json::to_value(work).expect("it is a word").as_str().unwrap_or_default().to_owned();
    // The parser wants names that stay; a process asks for them a few times.
    let names = Work::ALL.into_iter().map(|work| &*name(work).leak());
    PossibleValuesParser::new(names.collect::<Vec<&'static str>>())
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match (&arguments.work, &arguments.outcome) {
        (Some(work), Some(outcome)) => arguments.decide(work, outcome),
        _ => list(&arguments.reach),
    }
}

fn list(reach: &Reach) -> Result<(), Failure> {
    let decided: sim_client::Result<Vec<NextOutcome>> = reach.world()?.control("sim-list-next-outcomes", &());
    reach.show(&decided.map_err(|error| reach.failed(&error))?, |decided| match decided.as_slice() {
        [] => "nothing is decided".to_owned(),
        decided => decided.iter().map(line).collect::<Vec<_>>().join("\n"),
    });
    Ok(())
}

/// A decision on one line.
pub(super) fn line(one: &NextOutcome) -> String {
    let used = if one.lasting { format!(", used {}", one.used) } else { String::new() };
    format!("{one} (call {}{used})", one.set_by_call)
}

impl Arguments {
    fn decide(&self, work: &str, outcome: &str) -> Result<(), Failure> {
        let Arguments { after, project, lasting, reach, .. } = self;
        if outcome == "usual" {
            if after.is_some() || *lasting {
                return Err(Failure("usual: takes no --after and no --lasting".to_owned()));
            }
            let fields = json!({ "work": work, "project": project });
            let taken: sim_client::Result<serde_json::Value> =
                reach.world()?.control("sim-delete-next-outcome", &fields);
            taken.map_err(|error| reach.failed(&error))?;
        } else {
            let fields = json!({
                "work": work,
                "outcome": outcome,
                "after_ms": after.map(Length::ms),
                "project": project,
                "lasting": lasting.then_some(true),
            });
            let decided: sim_client::Result<serde_json::Value> =
                reach.world()?.control("sim-set-next-outcome", &fields);
            decided.map_err(|error| reach.failed(&error))?;
        }
        let which = if *lasting { "each" } else { "the next" };
        let of = project.as_ref().map(|project| format!(" of project {project}")).unwrap_or_default();
        let ends = match outcome {
            "succeed" => "succeeds",
            "fail" => "fails",
            "usual" => "ends as usual",
            _ => "never ends",
        };
        say(&format!("{which} {work}{of} {ends}"));
        Ok(())
    }
}
