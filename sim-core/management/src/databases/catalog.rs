//! Names used by several resources: regions, machine sizes, Postgres versions, release channels.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use sim_base::{Cx, Error, FromJson, ToSchema};

use crate::organization::Plan;
use crate::text_of;

/// A region in which projects run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[expect(missing_docs, reason = "they are what they say")]
pub enum Region {
    #[serde(rename = "us-east-1")]
    UsEast1,
    #[serde(rename = "us-east-2")]
    UsEast2,
    #[serde(rename = "us-west-1")]
    UsWest1,
    #[serde(rename = "us-west-2")]
    UsWest2,
    #[serde(rename = "ap-east-1")]
    ApEast1,
    #[serde(rename = "ap-southeast-1")]
    ApSoutheast1,
    #[serde(rename = "ap-northeast-1")]
    ApNortheast1,
    #[serde(rename = "ap-northeast-2")]
    ApNortheast2,
    #[serde(rename = "ap-southeast-2")]
    ApSoutheast2,
    #[serde(rename = "eu-west-1")]
    EuWest1,
    #[serde(rename = "eu-west-2")]
    EuWest2,
    #[serde(rename = "eu-west-3")]
    EuWest3,
    #[serde(rename = "eu-north-1")]
    EuNorth1,
    #[serde(rename = "eu-central-1")]
    EuCentral1,
    #[serde(rename = "eu-central-2")]
    EuCentral2,
    #[serde(rename = "ca-central-1")]
    CaCentral1,
    #[serde(rename = "ap-south-1")]
    ApSouth1,
    #[serde(rename = "sa-east-1")]
    SaEast1,
}

impl Region {
    /// All regions.
    pub const ALL: [Region; 18] = {
        use Region::*;
        [
            UsEast1,
            UsEast2,
            UsWest1,
            UsWest2,
            ApEast1,
            ApSoutheast1,
            ApNortheast1,
            ApNortheast2,
            ApSoutheast2,
            EuWest1,
            EuWest2,
            EuWest3,
            EuNorth1,
            EuCentral1,
            EuCentral2,
            CaCentral1,
            ApSouth1,
            SaEast1,
        ]
    };

    /// Its name.
    pub const fn title(self) -> &'static str {
        match self {
            Region::UsEast1 => "East US (North Virginia)",
            Region::UsEast2 => "East US (Ohio)",
            Region::UsWest1 => "West US (North California)",
            Region::UsWest2 => "West US (Oregon)",
            Region::ApEast1 => "East Asia (Hong Kong)",
            Region::ApSoutheast1 => "Southeast Asia (Singapore)",
            Region::ApNortheast1 => "Northeast Asia (Tokyo)",
            Region::ApNortheast2 => "Northeast Asia (Seoul)",
            Region::ApSoutheast2 => "Oceania (Sydney)",
            Region::EuWest1 => "West EU (Ireland)",
            Region::EuWest2 => "West Europe (London)",
            Region::EuWest3 => "West EU (Paris)",
            Region::EuNorth1 => "North EU (Stockholm)",
            Region::EuCentral1 => "Central EU (Frankfurt)",
            Region::EuCentral2 => "Central Europe (Zurich)",
            Region::CaCentral1 => "Canada (Central)",
            Region::ApSouth1 => "South Asia (Mumbai)",
            Region::SaEast1 => "South America (São Paulo)",
        }
    }

    /// Its group.
    pub const fn group(self) -> RegionGroup {
        use Region::*;
        match self {
            UsEast1 | UsEast2 | UsWest1 | UsWest2 | CaCentral1 | SaEast1 => RegionGroup::Americas,
            EuWest1 | EuWest2 | EuWest3 | EuNorth1 | EuCentral1 | EuCentral2 => RegionGroup::Emea,
            ApEast1 | ApSoutheast1 | ApNortheast1 | ApNortheast2 | ApSoutheast2 | ApSouth1 => {
                RegionGroup::Apac
            }
        }
    }
}

/// Regions of which the service chooses one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum RegionGroup {
    Americas,
    Emea,
    Apac,
}

impl RegionGroup {
    /// All groups.
    pub const ALL: [RegionGroup; 3] = [RegionGroup::Americas, RegionGroup::Emea, RegionGroup::Apac];

    /// Its name.
    pub const fn title(self) -> &'static str {
        match self {
            RegionGroup::Americas => "Americas",
            RegionGroup::Emea => "Europe",
            RegionGroup::Apac => "Asia-Pacific",
        }
    }

    /// The region of a project if none was chosen. It is always the same.
    pub const fn chosen(self) -> Region {
        match self {
            RegionGroup::Americas => Region::UsEast1,
            RegionGroup::Emea => Region::EuCentral1,
            RegionGroup::Apac => Region::ApSoutheast1,
        }
    }
}

/// A provider of machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(extend("x-open" = true))]
pub enum CloudProvider {
    /// The only provider.
    CloudA,
}

/// The sizes that the creation of a project may name: `nano` replaced `pico`, which only branches may name today.
pub(crate) fn sizes_of_new_projects(_: &mut SchemaGenerator) -> Schema {
    let but = |gone| InstanceSize::ALL.iter().filter(|size| **size != gone).map(text_of).collect::<Vec<_>>();
    let (today, first) = (but(InstanceSize::Pico), but(InstanceSize::Nano));
    json_schema!({ "type": "string", "enum": today, "x-2025-05": { "enum": first } })
}

/// Size of the machine a project runs on, smallest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum InstanceSize {
    Pico,
    Nano,
    Micro,
    Small,
    Medium,
    Large,
    Xlarge,
    #[serde(rename = "2xlarge")]
    Xlarge2,
    #[serde(rename = "4xlarge")]
    Xlarge4,
    #[serde(rename = "8xlarge")]
    Xlarge8,
    #[serde(rename = "12xlarge")]
    Xlarge12,
    #[serde(rename = "16xlarge")]
    Xlarge16,
    #[serde(rename = "24xlarge")]
    Xlarge24,
    #[serde(rename = "24xlarge_optimized_memory")]
    Xlarge24Memory,
    #[serde(rename = "24xlarge_optimized_cpu")]
    Xlarge24Cpu,
    #[serde(rename = "24xlarge_high_memory")]
    Xlarge24HighMemory,
    #[serde(rename = "48xlarge")]
    Xlarge48,
    #[serde(rename = "48xlarge_optimized_memory")]
    Xlarge48Memory,
    #[serde(rename = "48xlarge_optimized_cpu")]
    Xlarge48Cpu,
    #[serde(rename = "48xlarge_high_memory")]
    Xlarge48HighMemory,
}

impl InstanceSize {
    /// Processors, and memory in gigabytes.
    pub const fn machine(self) -> (u32, u32) {
        use InstanceSize::*;
        match self {
            Pico | Nano | Micro => (2, 1),
            Small => (2, 2),
            Medium => (2, 4),
            Large => (2, 8),
            Xlarge => (4, 16),
            Xlarge2 => (8, 32),
            Xlarge4 => (16, 64),
            Xlarge8 => (32, 128),
            Xlarge12 => (48, 192),
            Xlarge16 => (64, 256),
            Xlarge24 => (96, 384),
            Xlarge24Memory => (96, 768),
            Xlarge24Cpu => (96, 192),
            Xlarge24HighMemory => (96, 1536),
            Xlarge48 => (192, 768),
            Xlarge48Memory => (192, 1536),
            Xlarge48Cpu => (192, 384),
            Xlarge48HighMemory => (192, 3072),
        }
    }

    /// All sizes, smallest first.
    pub const ALL: [InstanceSize; 20] = {
        use InstanceSize::*;
        [
            Pico,
            Nano,
            Micro,
            Small,
            Medium,
            Large,
            Xlarge,
            Xlarge2,
            Xlarge4,
            Xlarge8,
            Xlarge12,
            Xlarge16,
            Xlarge24,
            Xlarge24Memory,
            Xlarge24Cpu,
            Xlarge24HighMemory,
            Xlarge48,
            Xlarge48Memory,
            Xlarge48Cpu,
            Xlarge48HighMemory,
        ]
    };

    /// The size of a project that requests `desired`: nano on a free plan, otherwise micro or more. If it gets another size,
    /// the `field` is marked as ignored.
    pub(crate) fn granted(
        cx: &Cx<'_>,
        plan: Plan,
        desired: Option<InstanceSize>,
        field: impl FnOnce() -> String,
    ) -> Result<InstanceSize, Error> {
        let granted = match plan {
            Plan::Free => InstanceSize::Nano,
            Plan::Pro | Plan::Team | Plan::Enterprise => {
                desired.unwrap_or(InstanceSize::Micro).max(InstanceSize::Micro)
            }
        };
        if desired.is_some_and(|desired| desired != granted) {
            cx.without_effect(field)?;
        }
        Ok(granted)
    }
}

/// Major version of Postgres that a new project can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub enum PostgresEngine {
    /// Postgres 15.
    #[serde(rename = "15")]
    V15,
    /// Postgres 17.
    #[serde(rename = "17")]
    V17,
    /// Postgres 17 with another storage engine.
    #[serde(rename = "17-oriole")]
    V17Oriole,
}

impl PostgresEngine {
    /// The published name.
    pub const fn as_str(self) -> &'static str {
        match self {
            PostgresEngine::V15 => "15",
            PostgresEngine::V17 => "17",
            PostgresEngine::V17Oriole => "17-oriole",
        }
    }
}

/// A release channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum ReleaseChannel {
    Internal,
    Alpha,
    Beta,
    Ga,
    Withdrawn,
    Preview,
}
