//! `/v1/projects/available-regions`: where a project can run.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use sim_base::operations;
use sim_base::{Cx, Edition, Error, FromJson, Meta, New, Operation, Resource, Role, Scope, ToSchema, get};

use crate::catalog::{self, CloudProvider, InstanceSize, Region, RegionGroup};
use crate::{organization, text_of};

operations![ListRegions];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// Where a project can run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Regions {
    /// The recommended regions.
    pub recommendations: NearRegions,
    /// The available add-ons.
    pub all: AllRegions,
}

/// The recommended regions for a continent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[expect(non_snake_case, reason = "the published names")]
pub struct NearRegions {
    /// The group.
    pub smartGroup: ListedGroup,
    /// The regions of the group.
    pub specific: Vec<ListedRegion>,
}

/// All groups and regions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[expect(non_snake_case, reason = "the published names")]
pub struct AllRegions {
    /// The groups.
    pub smartGroup: Vec<ListedGroup>,
    /// The regions.
    pub specific: Vec<ListedRegion>,
}

/// Regions of which the service chooses one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ListedGroup {
    /// The message.
    pub name: String,
    /// Its code.
    pub code: RegionGroup,
    /// `smartGroup`.
    pub r#type: GroupType,
}

/// A region.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ListedRegion {
    /// The message.
    pub name: String,
    /// Its code.
    pub code: Region,
    /// `specific`.
    pub r#type: RegionType,
    /// The provider of its machines.
    pub provider: CloudProvider,
    /// The reason why no project can be created there now; absent if projects can be created.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<RegionObstacle>,
}

/// The reason why no project can be created in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RegionObstacle {
    /// All its machines are in use.
    Capacity,
    /// Another reason.
    Other,
}

/// The type of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum GroupType {
    /// A group.
    SmartGroup,
}

/// The type of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RegionType {
    /// A region.
    Specific,
}

/// The region of a new project: a given region, or one of a group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RegionSelection {
    /// The type of the choice.
    pub r#type: SelectionType,
    /// The code of the region or of the group.
    #[schemars(schema_with = "codes")]
    pub code: String,
}

/// The type of a choice of region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SelectionType {
    /// A region.
    Specific,
    /// A group, from which the service chooses a region.
    SmartGroup,
}

fn codes(_: &mut SchemaGenerator) -> Schema {
    let all = Region::ALL.iter().map(text_of).chain(RegionGroup::ALL.iter().map(text_of));
    json_schema!({ "type": "string", "enum": all.collect::<Vec<_>>() })
}

impl RegionSelection {
    /// A region.
    pub fn specific(region: Region) -> RegionSelection {
        RegionSelection { r#type: SelectionType::Specific, code: text_of(&region) }
    }

    /// One of the regions of a group.
    pub fn of_group(group: RegionGroup) -> RegionSelection {
        RegionSelection { r#type: SelectionType::SmartGroup, code: text_of(&group) }
    }

    /// The region of a project with that choice.
    pub(crate) fn region(&self) -> Result<Region, Error> {
        let specific = || Region::ALL.into_iter().find(|region| text_of(region) == self.code);
        let group = || RegionGroup::ALL.into_iter().find(|group| text_of(group) == self.code);
        let (found, what) = match self.r#type {
            SelectionType::Specific => (specific(), "a region"),
            SelectionType::SmartGroup => (group().map(RegionGroup::chosen), "a group of regions"),
        };
        found.ok_or_else(|| {
            let text = format!("region_selection.code: Invalid, must be {what} for this type");
            Error::invalid("invalid_body.region_selection.code", text)
        })
    }
}

/// A continent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[expect(missing_docs, reason = "the published codes")]
pub enum Continent {
    Na,
    Sa,
    Eu,
    Af,
    As,
    Oc,
    An,
}

impl Continent {
    const fn group(self) -> RegionGroup {
        match self {
            Continent::Na | Continent::Sa => RegionGroup::Americas,
            Continent::Eu | Continent::Af => RegionGroup::Emea,
            Continent::As | Continent::Oc | Continent::An => RegionGroup::Apac,
        }
    }
}

/// List the regions that a project of an organization can run in.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListRegions {
    /// The organization's slug.
    #[schemars(regex(pattern = r"^[\w-]+$"))]
    pub organization_slug: String,
    /// The continent of most of its users; North America by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continent: Option<Continent>,
    /// The size of its machine. It has no effect: all regions have room for all sizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "catalog::sizes_of_new_projects", extend("x-sim-ignored" = true))]
    pub desired_instance_size: Option<InstanceSize>,
}

impl Operation for ListRegions {
    type Output = Regions;
    const META: Meta = Meta {
        beta: true,
        since: Edition::V2026_11,
        query: &["organization_slug", "continent", "desired_instance_size"],
        scope: Some(Scope("organizations:read")),
        also: &[404],
        ..get("v1-get-available-regions", "/v1/projects/available-regions")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Regions, Error> {
        let organization = organization::load(cx, &self.organization_slug)?;
        cx.require_role(&organization.id, Role::ReadOnly)?;
        let near = self.continent.unwrap_or(Continent::Na).group();
        let regions = || Region::ALL.into_iter();
        Ok(Regions {
            recommendations: NearRegions {
                smartGroup: ListedGroup::of(near),
                specific: regions().filter(|one| one.group() == near).map(ListedRegion::of).collect(),
            },
            all: AllRegions {
                smartGroup: RegionGroup::ALL.into_iter().map(ListedGroup::of).collect(),
                specific: regions().map(ListedRegion::of).collect(),
            },
        })
    }
}

impl ListedGroup {
    fn of(code: RegionGroup) -> ListedGroup {
        ListedGroup { name: code.title().to_owned(), code, r#type: GroupType::SmartGroup }
    }
}

impl ListedRegion {
    fn of(code: Region) -> ListedRegion {
        let provider = CloudProvider::CloudA;
        ListedRegion {
            name: code.title().to_owned(),
            code,
            r#type: RegionType::Specific,
            provider,
            status: None,
        }
    }
}
