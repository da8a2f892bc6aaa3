//! The cells of notebooks: texts, queries of the database and queries of logs, with charts.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sim_base::{FromJson, ToSchema};

/// The content of a notebook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[schemars(rename = "NotebookCells")]
pub struct Content {
    /// Its cells, from the top.
    pub cells: Vec<Cell>,
}

/// A cell of a notebook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
#[schemars(rename = "NotebookCell")]
pub enum Cell {
    /// A text.
    Markdown {
        /// Its identifier, unique in its notebook.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// The text.
        text: String,
        /// Other members, kept as they are.
        #[serde(flatten)]
        others: Map<String, Value>,
    },
    /// A query of a database.
    Database {
        /// Its identifier, unique in its notebook.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// The query.
        sql: String,
        /// Its title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// The database; the project's own by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        database_identifier: Option<String>,
        /// The maximum number of rows shown; 100 by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(range(min = 1, max = 4_294_967_295_u32))]
        row_limit: Option<u32>,
        /// The view of its rows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        view: Option<CellView>,
        /// The chart of its rows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        chart: Option<Chart>,
        /// Other members, kept as they are.
        #[serde(flatten)]
        others: Map<String, Value>,
    },
    /// A query of logs.
    Log {
        /// Its identifier, unique in its notebook.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// The query.
        sql: String,
        /// Its title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        /// The period of its query.
        time_range: TimeRange,
        /// The view of its rows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        view: Option<CellView>,
        /// The chart of its rows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        chart: Option<Chart>,
        /// Other members, kept as they are.
        #[serde(flatten)]
        others: Map<String, Value>,
    },
}

/// The view of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum CellView {
    Table,
    Chart,
}

/// A chart of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schemars(rename = "NotebookChart")]
pub struct Chart {
    /// Its type.
    pub r#type: ChartType,
    /// Its scale.
    pub scale: ChartScale,
    /// Whether values are accumulated.
    pub cumulative: bool,
    /// Whether values are shown at their points.
    pub show_labels: bool,
    /// The column of the horizontal axis.
    pub x_column: String,
    /// The columns that are drawn.
    #[schemars(length(max = 3))]
    pub y_series: Vec<ChartSeries>,
    /// Other members, kept as they are.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// The type of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum ChartType {
    Bar,
    Line,
}

/// The scale of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum ChartScale {
    Linear,
    Log,
}

/// A column that is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChartSeries {
    /// Its name.
    pub column: String,
    /// Other members, kept as they are.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// The period of a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
#[schemars(rename = "NotebookTimeRange")]
pub enum TimeRange {
    /// From one time to another.
    Absolute {
        /// The first.
        start: String,
        /// The last.
        end: String,
        /// Other members, kept as they are.
        #[serde(flatten)]
        others: Map<String, Value>,
    },
    /// Up to now.
    Relative {
        /// The number of units.
        #[schemars(range(min = 1, max = 4_294_967_295_u32))]
        amount: u32,
        /// The unit.
        unit: TimeUnit,
        /// Other members, kept as they are.
        #[serde(flatten)]
        others: Map<String, Value>,
    },
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
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

/// The number of rows that a query cell shows unless it gives another.
const ROWS: u32 = 100;

impl Cell {
    /// Its identifier in its notebook, if it has one.
    pub fn id(&self) -> Option<&str> {
        match self {
            Cell::Markdown { id, .. } | Cell::Database { id, .. } | Cell::Log { id, .. } => id.as_deref(),
        }
    }

    /// Sets its identifier, and the default values of omitted fields.
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
