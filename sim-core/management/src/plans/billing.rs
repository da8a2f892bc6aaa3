//! `/v1/projects/{ref}/billing/addons`: a project's add-ons to its organization's plan, and the available
//! ones.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, Profile, Resource, ToSchema, delete, get,
    patch,
};

use crate::addon::{self, Addon};
use crate::catalog::InstanceSize;
use crate::organization;
use crate::project::{self, ProjectRef, Row as Project};
use crate::{named, replica, resize, text_of};

operations![ListBillingAddons, ApplyAddon, RemoveAddon];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// A kind of add-on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AddonType {
    /// A larger machine.
    ComputeInstance,
    /// A custom host name.
    CustomDomain,
    /// Restoring to any second.
    Pitr,
    /// An IPv4 address for the database.
    #[serde(rename = "ipv4")]
    Ipv4,
    /// Text messages as a second factor.
    AuthMfaPhone,
    /// Security keys as a second factor.
    AuthMfaWebAuthn,
    /// Logs sent to another service.
    LogDrain,
    /// Rows replicated to another database.
    EtlPipeline,
}

impl AddonType {
    /// All kinds.
    pub const ALL: [AddonType; 8] = {
        use AddonType::*;
        [ComputeInstance, CustomDomain, Pitr, Ipv4, AuthMfaPhone, AuthMfaWebAuthn, LogDrain, EtlPipeline]
    };

    const fn title(self) -> &'static str {
        match self {
            AddonType::ComputeInstance => "Compute instance",
            AddonType::CustomDomain => "Custom domain",
            AddonType::Pitr => "Point in time recovery",
            AddonType::Ipv4 => "Dedicated IPv4 address",
            AddonType::AuthMfaPhone => "Phone as a second factor",
            AddonType::AuthMfaWebAuthn => "Security key as a second factor",
            AddonType::LogDrain => "Log drain",
            AddonType::EtlPipeline => "Pipeline to another database",
        }
    }
}

/// A variant of a kind of add-on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[expect(missing_docs, reason = "they are what they say")]
pub enum AddonVariant {
    #[serde(rename = "ci_micro")]
    CiMicro,
    #[serde(rename = "ci_small")]
    CiSmall,
    #[serde(rename = "ci_medium")]
    CiMedium,
    #[serde(rename = "ci_large")]
    CiLarge,
    #[serde(rename = "ci_xlarge")]
    CiXlarge,
    #[serde(rename = "ci_2xlarge")]
    Ci2xlarge,
    #[serde(rename = "ci_4xlarge")]
    Ci4xlarge,
    #[serde(rename = "ci_8xlarge")]
    Ci8xlarge,
    #[serde(rename = "ci_12xlarge")]
    Ci12xlarge,
    #[serde(rename = "ci_16xlarge")]
    Ci16xlarge,
    #[serde(rename = "ci_24xlarge")]
    Ci24xlarge,
    #[serde(rename = "ci_24xlarge_optimized_memory")]
    Ci24xlargeMemory,
    #[serde(rename = "ci_24xlarge_optimized_cpu")]
    Ci24xlargeCpu,
    #[serde(rename = "ci_24xlarge_high_memory")]
    Ci24xlargeHighMemory,
    #[serde(rename = "ci_48xlarge")]
    Ci48xlarge,
    #[serde(rename = "ci_48xlarge_optimized_memory")]
    Ci48xlargeMemory,
    #[serde(rename = "ci_48xlarge_optimized_cpu")]
    Ci48xlargeCpu,
    #[serde(rename = "ci_48xlarge_high_memory")]
    Ci48xlargeHighMemory,
    #[serde(rename = "cd_default")]
    CdDefault,
    #[serde(rename = "pitr_7")]
    Pitr7,
    #[serde(rename = "pitr_14")]
    Pitr14,
    #[serde(rename = "pitr_28")]
    Pitr28,
    #[serde(rename = "ipv4_default")]
    Ipv4Default,
    #[serde(rename = "auth_mfa_phone_default")]
    AuthMfaPhoneDefault,
    #[serde(rename = "auth_mfa_web_authn_default")]
    AuthMfaWebAuthnDefault,
    #[serde(rename = "log_drain_default")]
    LogDrainDefault,
    #[serde(rename = "etl_pipeline_default")]
    EtlPipelineDefault,
}

/// The variants that a project's owner may choose. The service adds the others itself, with the feature that needs them.
fn choosable(_: &mut SchemaGenerator) -> Schema {
    let variants = AddonType::ALL.into_iter().take(4).flat_map(AddonVariant::of_type);
    json_schema!({ "type": "string", "enum": variants.map(|one| text_of(&one)).collect::<Vec<_>>() })
}

/// The effect of a variant.
enum Gives {
    Size(InstanceSize),
    Addon(Addon),
}

impl AddonVariant {
    fn gives(self) -> Gives {
        let name = text_of(&self);
        match (name.strip_prefix("ci_"), self) {
            (Some(size), _) => Gives::Size(named(size)),
            (None, AddonVariant::CdDefault) => Gives::Addon(Addon::CustomDomain),
            (None, AddonVariant::Ipv4Default) => Gives::Addon(Addon::Ipv4),
            (None, AddonVariant::AuthMfaPhoneDefault) => Gives::Addon(Addon::AuthMfaPhone),
            (None, AddonVariant::AuthMfaWebAuthnDefault) => Gives::Addon(Addon::AuthMfaWebAuthn),
            (None, AddonVariant::LogDrainDefault) => Gives::Addon(Addon::LogDrain),
            (None, AddonVariant::EtlPipelineDefault) => Gives::Addon(Addon::EtlPipeline),
            (None, _) => Gives::Addon(named(&name)),
        }
    }

    fn of_size(size: InstanceSize) -> Option<AddonVariant> {
        (size > InstanceSize::Nano).then(|| named(&format!("ci_{}", text_of(&size))))
    }

    fn of_addon(addon: Addon) -> AddonVariant {
        match addon {
            Addon::CustomDomain => AddonVariant::CdDefault,
            Addon::Pitr7 => AddonVariant::Pitr7,
            Addon::Pitr14 => AddonVariant::Pitr14,
            Addon::Pitr28 => AddonVariant::Pitr28,
            Addon::Ipv4 => AddonVariant::Ipv4Default,
            Addon::AuthMfaPhone => AddonVariant::AuthMfaPhoneDefault,
            Addon::AuthMfaWebAuthn => AddonVariant::AuthMfaWebAuthnDefault,
            Addon::LogDrain => AddonVariant::LogDrainDefault,
            Addon::EtlPipeline => AddonVariant::EtlPipelineDefault,
        }
    }

    fn r#type(self) -> AddonType {
        match self.gives() {
            Gives::Size(_) => AddonType::ComputeInstance,
            Gives::Addon(Addon::CustomDomain) => AddonType::CustomDomain,
            Gives::Addon(Addon::Pitr7 | Addon::Pitr14 | Addon::Pitr28) => AddonType::Pitr,
            Gives::Addon(Addon::Ipv4) => AddonType::Ipv4,
            Gives::Addon(Addon::AuthMfaPhone) => AddonType::AuthMfaPhone,
            Gives::Addon(Addon::AuthMfaWebAuthn) => AddonType::AuthMfaWebAuthn,
            Gives::Addon(Addon::LogDrain) => AddonType::LogDrain,
            Gives::Addon(Addon::EtlPipeline) => AddonType::EtlPipeline,
        }
    }

    fn of_type(r#type: AddonType) -> Vec<AddonVariant> {
        let sizes = InstanceSize::ALL.into_iter().filter_map(AddonVariant::of_size);
        let others = Addon::ALL.into_iter().map(AddonVariant::of_addon);
        sizes.chain(others).filter(|one| one.r#type() == r#type).collect()
    }

    /// US cents per month. No one is billed, so the numbers are arbitrary.
    fn cents(self) -> u32 {
        match self.gives() {
            Gives::Size(size) => {
                const PRICES: [u32; 10] =
                    [1000, 1500, 6000, 11_000, 21_000, 41_000, 96_000, 187_000, 280_000, 373_000];
                let rank = InstanceSize::ALL.iter().position(|one| *one == size).unwrap_or_default();
                let micro =
                    InstanceSize::ALL.iter().position(|one| *one == InstanceSize::Micro).unwrap_or_default();
                PRICES.get(rank - micro).copied().unwrap_or(600_000)
            }
            Gives::Addon(Addon::CustomDomain) => 1000,
            Gives::Addon(Addon::Pitr7) => 10_000,
            Gives::Addon(Addon::Pitr14) => 20_000,
            Gives::Addon(Addon::Pitr28) => 40_000,
            Gives::Addon(Addon::Ipv4) => 400,
            Gives::Addon(Addon::AuthMfaPhone | Addon::AuthMfaWebAuthn) => 7500,
            Gives::Addon(Addon::LogDrain | Addon::EtlPipeline) => 6000,
        }
    }

    /// Its attributes as numbers.
    fn meta(self) -> Option<VariantMeta> {
        let none = VariantMeta::default();
        Some(match self.gives() {
            Gives::Size(size) => {
                let (cpu_cores, memory_gb) = size.machine();
                VariantMeta { cpu_cores: Some(cpu_cores), memory_gb: Some(memory_gb), ..none }
            }
            Gives::Addon(Addon::Pitr7) => VariantMeta { backup_duration_days: Some(7), ..none },
            Gives::Addon(Addon::Pitr14) => VariantMeta { backup_duration_days: Some(14), ..none },
            Gives::Addon(Addon::Pitr28) => VariantMeta { backup_duration_days: Some(28), ..none },
            Gives::Addon(_) => return None,
        })
    }
}

/// The add-ons of a project, and those available.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
pub struct BillingAddons {
    /// Its add-ons.
    pub selected_addons: Vec<SelectedAddon>,
    /// The available add-ons.
    pub available_addons: Vec<AvailableAddon>,
}

/// An add-on that a project has.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
pub struct SelectedAddon {
    /// Its kind.
    pub r#type: AddonType,
    /// Its variant.
    pub variant: ListedVariant,
}

/// A kind of add-on.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
pub struct AvailableAddon {
    /// The kind.
    pub r#type: AddonType,
    /// Its readable name.
    pub name: String,
    /// Its variant.
    pub variants: Vec<ListedVariant>,
}

/// A variant of an add-on, with its price.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
pub struct ListedVariant {
    /// Its name.
    pub id: AddonVariant,
    /// Its readable name.
    pub name: String,
    /// Its price.
    pub price: Price,
    /// Its attributes as numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<VariantMeta>,
}

/// The attributes of an add-on as numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct VariantMeta {
    /// Processors of a machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_cores: Option<u32>,
    /// Memory of a machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_gb: Option<u32>,
    /// The period within which the project can be restored to any second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backup_duration_days: Option<u32>,
}

/// A price.
#[derive(Clone, Debug, PartialEq, Serialize, FromJson, ToSchema)]
pub struct Price {
    /// A readable description.
    pub description: String,
    /// The kind of price.
    pub r#type: PriceType,
    /// The unit of time.
    pub interval: PriceInterval,
    /// The amount in dollars.
    pub amount: f64,
}

/// The kind of a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum PriceType {
    Fixed,
    Usage,
}

/// The unit of a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum PriceInterval {
    Monthly,
    Hourly,
}

impl From<AddonVariant> for ListedVariant {
    fn from(id: AddonVariant) -> ListedVariant {
        /// Hours per month, for billing machines.
        const HOURS: f64 = 730.0;
        let dollars = f64::from(id.cents()) / 100.0;
        let (name, r#type, interval, amount) = match id.gives() {
            Gives::Size(size) => (text_of(&size), PriceType::Usage, PriceInterval::Hourly, dollars / HOURS),
            Gives::Addon(_) => (text_of(&id), PriceType::Fixed, PriceInterval::Monthly, dollars),
        };
        let description = format!("${dollars} a month");
        let price = Price { description, r#type, interval, amount };
        ListedVariant { id, name, price, meta: id.meta() }
    }
}

/// List the add-ons that a project has, and those available.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListBillingAddons {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ListBillingAddons {
    type Output = BillingAddons;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        also: &[500],
        failure: "Failed to list project addons",
        ..get("v1-list-project-addons", "/v1/projects/{ref}/billing/addons")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<BillingAddons, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let selected = |one: AddonVariant| SelectedAddon { r#type: one.r#type(), variant: one.into() };
        let available = |r#type: AddonType| AvailableAddon {
            r#type,
            name: r#type.title().to_owned(),
            variants: AddonVariant::of_type(r#type).into_iter().map(ListedVariant::from).collect(),
        };
        Ok(BillingAddons {
            selected_addons: variants_of(cx, &project).into_iter().map(selected).collect(),
            available_addons: AddonType::ALL.into_iter().map(available).collect(),
        })
    }
}

/// The project's add-ons.
fn variants_of(cx: &Cx<'_>, project: &Project) -> Vec<AddonVariant> {
    let addons = Addon::ALL.into_iter().filter(|addon| addon::has(cx, &project.r#ref, *addon));
    AddonVariant::of_size(project.size).into_iter().chain(addons.map(AddonVariant::of_addon)).collect()
}

/// Add an add-on to a project. It replaces another one of its kind.
///
/// For a machine of another size, the project is RESIZING for a while.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ApplyAddon {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its variant.
    #[schemars(schema_with = "choosable")]
    pub addon_variant: AddonVariant,
    /// Its kind.
    pub addon_type: AddonType,
}

impl Operation for ApplyAddon {
    type Output = Empty;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        check: Some(check),
        also: &[402, 500],
        failure: "Failed to apply project addon",
        ..patch("v1-apply-project-addon", "/v1/projects/{ref}/billing/addons")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let wanted = match self.addon_variant.gives() {
            Gives::Size(size) => {
                require_room(cx, &project, size)?;
                resize::begin(cx, &project, size)?;
                return Ok(Empty {});
            }
            Gives::Addon(addon) => addon,
        };
        require_fit(cx, &project, self.addon_type)?;
        // The archive stays if one kind of archiving replaces another.
        addon::set(cx, &project.r#ref, wanted, true);
        for other in Addon::ALL {
            if AddonVariant::of_addon(other).r#type() == self.addon_type && other != wanted {
                addon::set(cx, &project.r#ref, other, false);
            }
        }
        Ok(Empty {})
    }
}

/// The variant belongs to the kind.
fn check(input: &Value, _: &Profile) -> Result<(), Error> {
    let text = |name: &str| input[name].as_str().unwrap_or_default();
    let variant: AddonVariant = named(text("addon_variant"));
    if text_of(&variant.r#type()) == text("addon_type") {
        return Ok(());
    }
    let words = format!(
        "addon_type: Invalid, {} is a variant of {}",
        text("addon_variant"),
        text_of(&variant.r#type())
    );
    Err(Error::invalid("invalid_body.addon_type", words))
}

/// Refuses an add-on that the plan or the machine does not allow.
fn require_fit(cx: &Cx<'_>, project: &Project, r#type: AddonType) -> Result<(), Error> {
    organization::require_paid(cx, &project.organization, r#type.title())?;
    if r#type == AddonType::Pitr && project.size < SMALLEST_WITH_PITR {
        return Err(too_small(project.size));
    }
    Ok(())
}

/// Refuses a machine that is too small for the project's add-ons.
fn require_room(cx: &Cx<'_>, project: &Project, size: InstanceSize) -> Result<(), Error> {
    let has_pitr = || variants_of(cx, project).iter().any(|one| one.r#type() == AddonType::Pitr);
    if size >= project.size {
        return Ok(());
    }
    if size < SMALLEST_WITH_PITR && has_pitr() {
        return Err(too_small(size));
    }
    if size < replica::SMALLEST && replica::any(cx, &project.r#ref) {
        return Err(replica::too_small(size));
    }
    Ok(())
}

const SMALLEST_WITH_PITR: InstanceSize = InstanceSize::Small;

fn too_small(size: InstanceSize) -> Error {
    let text = "Point in time recovery needs a project whose instance size is small or larger.";
    Error::invalid("instance_too_small", text).because("instance size", text_of(&size), None)
}

/// Remove an add-on from a project. Without the add-on for its machine, it moves to the smallest size.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RemoveAddon {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its variant.
    pub addon_variant: AddonVariant,
}

impl Operation for RemoveAddon {
    type Output = Empty;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        also: &[402, 500],
        failure: "Failed to remove project addon",
        ..delete("v1-remove-project-addon", "/v1/projects/{ref}/billing/addons/{addon_variant}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if !variants_of(cx, &project).contains(&self.addon_variant) {
            return Err(Error::not_found("addon", &text_of(&self.addon_variant)));
        }
        match self.addon_variant.gives() {
            Gives::Size(_) => {
                require_room(cx, &project, InstanceSize::Micro)?;
                resize::begin(cx, &project, InstanceSize::Micro)?;
            }
            Gives::Addon(addon) => addon::set(cx, &project.r#ref, addon, false),
        }
        Ok(Empty {})
    }
}
