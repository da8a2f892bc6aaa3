//! The cells of notebooks: texts, queries of the database and queries of logs, with charts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The content of a notebook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "NotebookCells")]
pub struct Content {
    /// Its cells, from the top.
    pub cells: Vec<Cell>,
}

/// A cell of a notebook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
#[schemars(rename = "NotebookCell")]
pub enum Cell {
    /// A text.
    Markdown {
        /// What identifies it in its notebook.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// The text.
        text: String,
    },
    /// A query of a database.
    Database {
        /// What identifies it in its notebook.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// The query.
        sql: String,
        /// What stands above it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// The database; the project's own unless given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        database_identifier: Option<String>,
        /// Rows that are shown at most; 100 unless given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(min = 1, max = 4_294_967_295_u32))]
        row_limit: Option<u32>,
        /// How its rows are shown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        view: Option<CellView>,
        /// The chart of its rows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        chart: Option<Chart>,
    },
    /// A query of logs.
    Log {
        /// What identifies it in its notebook.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// The query.
        sql: String,
        /// What stands above it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// The time that it is about.
        time_range: TimeRange,
        /// How its rows are shown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        view: Option<CellView>,
        /// The chart of its rows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        chart: Option<Chart>,
    },
}

/// How rows are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum CellView {
    Table,
    Chart,
}

/// A chart of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "NotebookChart")]
pub struct Chart {
    /// Its form.
    pub r#type: ChartType,
    /// Its scale.
    pub scale: ChartScale,
    /// Whether values are added up.
    pub cumulative: bool,
    /// Whether values are written beside their places.
    pub show_labels: bool,
    /// The column of the horizontal axis.
    pub x_column: String,
    /// The columns that are drawn.
    #[schemars(length(max = 3))]
    pub y_series: Vec<ChartSeries>,
}

/// The form of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum ChartType {
    Bar,
    Line,
}

/// The scale of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum ChartScale {
    Linear,
    Log,
}

/// A column that is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChartSeries {
    /// Its name.
    pub column: String,
}

/// A time that a query is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
#[schemars(rename = "NotebookTimeRange")]
pub enum TimeRange {
    /// From one instant to another.
    Absolute {
        /// The first.
        start: String,
        /// The last.
        end: String,
    },
    /// Up to now.
    Relative {
        /// How many units.
        #[schemars(range(min = 1, max = 4_294_967_295_u32))]
        amount: u32,
        /// The unit.
        unit: TimeUnit,
    },
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum TimeUnit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// Rows of a query that are shown unless its cell says how many.
const ROWS: u32 = 100;

impl Cell {
    /// What identifies it in its notebook, if that is known.
    pub fn id(&self) -> Option<&str> {
        match self {
            Cell::Markdown { id, .. } | Cell::Database { id, .. } | Cell::Log { id, .. } => id.as_deref(),
        }
    }

    /// Gives it that identifier, and the values that were left out.
    pub(super) fn complete(&mut self, new: String) {
        match self {
            Cell::Markdown { id, .. } | Cell::Log { id, .. } => *id = Some(new),
            Cell::Database { id, row_limit, .. } => {
                *id = Some(new);
                row_limit.get_or_insert(ROWS);
            }
        }
    }
}
