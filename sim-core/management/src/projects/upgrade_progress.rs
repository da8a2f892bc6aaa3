//! The eleven steps of an upgrade, and the nine errors with which it can fail.

use serde::Serialize;
use sim_base::{FromJson, ToSchema};

/// The steps of an upgrade.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson, ToSchema)]
#[expect(missing_docs, reason = "they are what they say")]
pub enum UpgradeProgress {
    #[serde(rename = "0_requested")]
    Requested,
    #[serde(rename = "1_started")]
    Started,
    #[serde(rename = "2_launched_upgraded_instance")]
    LaunchedUpgradedInstance,
    #[serde(rename = "3_detached_volume_from_upgraded_instance")]
    DetachedVolumeFromUpgradedInstance,
    #[serde(rename = "4_attached_volume_to_original_instance")]
    AttachedVolumeToOriginalInstance,
    #[serde(rename = "5_initiated_data_upgrade")]
    InitiatedDataUpgrade,
    #[serde(rename = "6_completed_data_upgrade")]
    CompletedDataUpgrade,
    #[serde(rename = "7_detached_volume_from_original_instance")]
    DetachedVolumeFromOriginalInstance,
    #[serde(rename = "8_attached_volume_to_upgraded_instance")]
    AttachedVolumeToUpgradedInstance,
    #[serde(rename = "9_completed_upgrade")]
    CompletedUpgrade,
    #[serde(rename = "10_completed_post_physical_backup")]
    CompletedPostPhysicalBackup,
}

impl UpgradeProgress {
    /// The steps, in order.
    pub const ALL: [UpgradeProgress; 11] = {
        use UpgradeProgress::*;
        [
            Requested,
            Started,
            LaunchedUpgradedInstance,
            DetachedVolumeFromUpgradedInstance,
            AttachedVolumeToOriginalInstance,
            InitiatedDataUpgrade,
            CompletedDataUpgrade,
            DetachedVolumeFromOriginalInstance,
            AttachedVolumeToUpgradedInstance,
            CompletedUpgrade,
            CompletedPostPhysicalBackup,
        ]
    };
}

/// The error of an upgrade. The spelling is the service's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson, ToSchema)]
#[expect(missing_docs, reason = "they are what they say")]
pub enum UpgradeError {
    #[serde(rename = "1_upgraded_instance_launch_failed")]
    UpgradedInstanceLaunch,
    #[serde(rename = "2_volume_detachchment_from_upgraded_instance_failed")]
    VolumeDetachmentFromUpgradedInstance,
    #[serde(rename = "3_volume_attachment_to_original_instance_failed")]
    VolumeAttachmentToOriginalInstance,
    #[serde(rename = "4_data_upgrade_initiation_failed")]
    DataUpgradeInitiation,
    #[serde(rename = "5_data_upgrade_completion_failed")]
    DataUpgradeCompletion,
    #[serde(rename = "6_volume_detachchment_from_original_instance_failed")]
    VolumeDetachmentFromOriginalInstance,
    #[serde(rename = "7_volume_attachment_to_upgraded_instance_failed")]
    VolumeAttachmentToUpgradedInstance,
    #[serde(rename = "8_upgrade_completion_failed")]
    UpgradeCompletion,
    #[serde(rename = "9_post_physical_backup_failed")]
    PostPhysicalBackup,
}

impl UpgradeError {
    /// The errors. Each can happen instead of the step after the step with its number.
    pub const ALL: [UpgradeError; 9] = {
        use UpgradeError::*;
        [
            UpgradedInstanceLaunch,
            VolumeDetachmentFromUpgradedInstance,
            VolumeAttachmentToOriginalInstance,
            DataUpgradeInitiation,
            DataUpgradeCompletion,
            VolumeDetachmentFromOriginalInstance,
            VolumeAttachmentToUpgradedInstance,
            UpgradeCompletion,
            PostPhysicalBackup,
        ]
    };

    /// The step that is not completed.
    pub(crate) const fn instead_of(self) -> UpgradeProgress {
        UpgradeProgress::ALL[self as usize + 2]
    }
}
