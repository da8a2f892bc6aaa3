//! A plan, as text and as JSON.

use serde_json::{Map, Value as Json, json};

use super::options::Options;

/// A step of a plan.
pub(super) struct Plan {
    /// As the text shows it: `Seq Scan on item`.
    pub(super) title: String,
    /// As JSON shows it: its type, and what belongs to it.
    pub(super) members: Vec<(&'static str, Json)>,
    /// Conditions and keys.
    pub(super) details: Vec<(&'static str, Vec<String>)>,
    pub(super) children: Vec<Plan>,
    pub(super) rows: i64,
    pub(super) cost: f64,
}

impl Plan {
    pub(super) fn new(title: impl Into<String>, kind: &str, children: Vec<Plan>) -> Plan {
        let rows = children.first().map_or(1, |child| child.rows);
        let cost = children.iter().map(|child| child.cost).sum::<f64>() + 0.01;
        let members = vec![("Node Type", json!(kind))];
        Plan { title: title.into(), members, details: Vec::new(), children, rows, cost }
    }

    pub(super) fn with(mut self, name: &'static str, value: impl Into<Json>) -> Plan {
        self.members.push((name, value.into()));
        self
    }

    pub(super) fn detail(mut self, name: &'static str, texts: Vec<String>) -> Plan {
        self.details.push((name, texts));
        self
    }

    pub(super) fn rows(mut self, rows: i64) -> Plan {
        self.rows = rows.max(1);
        self.cost += f64::from(i32::try_from(self.rows).unwrap_or(i32::MAX)) * 0.01;
        self
    }

    pub(super) fn width(&self) -> u32 {
        if self.children.is_empty() && self.title == "Result" { 4 } else { 32 }
    }

    pub(super) fn lines(
        &self,
        options: &Options,
        depth: usize,
        done: Option<usize>,
        lines: &mut Vec<String>,
    ) {
        let mut line = match depth {
            0 => self.title.clone(),
            depth => format!("{}->  {}", " ".repeat(6 * depth - 4), self.title),
        };
        if options.costs {
            line.push_str(&format!(
                "  (cost=0.00..{:.2} rows={} width={})",
                self.cost,
                self.rows,
                self.width()
            ));
        }
        if options.analyze {
            let rows = done.map_or(self.rows, |rows| i64::try_from(rows).unwrap_or(i64::MAX));
            let time = if options.timing { "time=0.010..0.010 " } else { "" };
            line.push_str(&format!(
                "{}(actual {time}rows={rows} loops=1)",
                if options.costs { " " } else { "  " }
            ));
        }
        lines.push(line);
        for (name, texts) in &self.details {
            lines.push(format!("{}{name}: {}", " ".repeat(6 * depth + 2), texts.join(", ")));
        }
        self.children.iter().for_each(|child| child.lines(options, depth + 1, None, lines));
    }

    pub(super) fn json(&self, options: &Options, place: Option<&str>, done: Option<usize>) -> Json {
        let mut out = Map::new();
        let first = ["Node Type", "Strategy", "Partial Mode", "Operation", "Command"];
        let (head, rest): (Vec<_>, Vec<_>) = self.members.iter().partition(|(name, _)| first.contains(name));
        let member = |(name, value): &(&'static str, Json)| ((*name).to_owned(), value.clone());
        out.extend(head.into_iter().map(member));
        out.extend(place.map(|place| ("Parent Relationship".to_owned(), json!(place))));
        out.insert("Parallel Aware".to_owned(), json!(false));
        out.insert("Async Capable".to_owned(), json!(false));
        out.extend(rest.into_iter().map(member));
        if options.costs {
            out.insert("Startup Cost".to_owned(), json!(0.0));
            out.insert("Total Cost".to_owned(), json!((self.cost * 100.0).round() / 100.0));
            out.insert("Plan Rows".to_owned(), json!(self.rows));
            out.insert("Plan Width".to_owned(), json!(self.width()));
        }
        if options.analyze {
            let actual = done.map_or(self.rows, |rows| i64::try_from(rows).unwrap_or(i64::MAX));
            if options.timing {
                out.insert("Actual Startup Time".to_owned(), json!(0.01));
                out.insert("Actual Total Time".to_owned(), json!(0.01));
            }
            out.insert("Actual Rows".to_owned(), json!(actual));
            out.insert("Actual Loops".to_owned(), json!(1));
        }
        for (name, texts) in &self.details {
            let value = if name.ends_with("Key") { json!(texts) } else { json!(texts.join(", ")) };
            out.insert((*name).to_owned(), value);
        }
        if !self.children.is_empty() {
            let places = ["Outer", "Inner"];
            let children = self.children.iter().enumerate();
            let children = children.map(|(at, child)| child.json(options, Some(places[at.min(1)]), None));
            out.insert("Plans".to_owned(), children.collect());
        }
        Json::Object(out)
    }
}

/// A plan as PostgreSQL writes it: indented, with lists of texts on one line.
pub(super) fn pretty(json: &Json, depth: usize) -> String {
    let indent = "  ".repeat(depth + 1);
    let (open, close, items) = match json {
        Json::Object(members) => {
            let member =
                |(name, value): (&String, &Json)| format!("{}: {}", json!(name), pretty(value, depth + 1));
            ('{', '}', members.iter().map(member).collect::<Vec<_>>())
        }
        Json::Array(items) if items.iter().any(|item| !item.is_string()) => {
            ('[', ']', items.iter().map(|item| pretty(item, depth + 1)).collect())
        }
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(Json::to_string).collect();
            return format!("[{}]", items.join(", "));
        }
        scalar => return scalar.to_string(),
    };
    let items: Vec<String> = items.into_iter().map(|item| format!("{indent}{item}")).collect();
    format!("{open}\n{}\n{}{close}", items.join(",\n"), "  ".repeat(depth))
}
