//! The lifecycle of a custom hostname: its states, its background work, and how it is stored.

use serde::Serialize;
use sim_base::jobs::Step;
use sim_base::{Cx, Error, FromJson, Task, ToSchema};

use crate::hostname::{
    CustomHostname, HostnameData, HostnameResult, HostnameSsl, OwnershipVerification, ValidationError,
    ValidationRecord,
};
use crate::outcome::{self, Work};
use crate::project::{self, Row};
use crate::{dns, lifecycles, text_of};

/// The status of a custom hostname.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson, ToSchema)]
pub enum Status {
    /// Requested; its provider has not accepted it yet.
    #[serde(rename = "1_not_started")]
    NotStarted,
    /// Waits for its DNS records.
    #[serde(rename = "2_initiated")]
    Initiated,
    /// The DNS records exist; the certificate is being issued.
    #[serde(rename = "3_challenge_verified")]
    ChallengeVerified,
    /// Ready to be activated.
    #[serde(rename = "4_origin_setup_completed")]
    OriginSetupCompleted,
    /// The project's services use it.
    #[serde(rename = "5_services_reconfigured")]
    ServicesReconfigured,
}

/// What can happen to a custom hostname.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson)]
pub enum Event {
    /// The provider accepts it.
    Accept,
    /// The DNS records are checked, and all exist.
    Verify,
    /// The certificate is issued.
    Certify,
    /// The certificate is refused.
    FailCertificate,
    /// The services use the name.
    Activate,
}

impl Event {
    /// Every event.
    pub const ALL: [Event; 5] =
        [Event::Accept, Event::Verify, Event::Certify, Event::FailCertificate, Event::Activate];
}

impl Status {
    /// Every state, in the order of the lifecycle.
    pub const ALL: [Status; 5] = [
        Status::NotStarted,
        Status::Initiated,
        Status::ChallengeVerified,
        Status::OriginSetupCompleted,
        Status::ServicesReconfigured,
    ];

    /// The whole lifecycle of a custom hostname. `None`: the event does not apply in this state.
    pub const fn on(self, event: Event) -> Option<Status> {
        use Event::*;
        use Status::*;
        Some(match (self, event) {
            (NotStarted, Accept) => Initiated,
            (Initiated, Verify) => ChallengeVerified,
            (ChallengeVerified, Certify) => OriginSetupCompleted,
            (ChallengeVerified, FailCertificate) => Initiated,
            (OriginSetupCompleted, Activate) => ServicesReconfigured,
            (NotStarted, Verify | Certify | FailCertificate | Activate)
            | (Initiated, Accept | Certify | FailCertificate | Activate)
            | (ChallengeVerified, Accept | Verify | Activate)
            | (OriginSetupCompleted, Accept | Verify | Certify | FailCertificate)
            | (ServicesReconfigured, Accept | Verify | Certify | FailCertificate | Activate) => return None,
        })
    }
}

/// The state of the certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ssl {
    Initializing,
    PendingValidation,
    PendingDeployment,
    Active,
    ValidationTimedOut,
}

impl Ssl {
    const ALL: [Ssl; 5] = [
        Ssl::Initializing,
        Ssl::PendingValidation,
        Ssl::PendingDeployment,
        Ssl::Active,
        Ssl::ValidationTimedOut,
    ];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Ssl::Initializing => "initializing",
            Ssl::PendingValidation => "pending_validation",
            Ssl::PendingDeployment => "pending_deployment",
            Ssl::Active => "active",
            Ssl::ValidationTimedOut => "validation_timed_out",
        }
    }

    /// Whether the authority still waits for its records.
    const fn wants_records(self) -> bool {
        match self {
            Ssl::PendingValidation | Ssl::ValidationTimedOut => true,
            Ssl::Initializing | Ssl::PendingDeployment | Ssl::Active => false,
        }
    }
}

/// Background work that does the next step of a custom hostname.
#[derive(Clone, Debug, Serialize, FromJson)]
pub struct Progress {
    r#ref: String,
    event: Event,
}

impl Progress {
    pub(crate) fn of(project: &Row, event: Event) -> Progress {
        Progress { r#ref: project.r#ref.clone(), event }
    }
}

impl Task for Progress {
    const KIND: &'static str = "custom hostname";
    const NAME: Option<&'static str> = project::NAME;

    fn subject(&self) -> &str {
        &self.r#ref
    }

    fn step(&self) -> Option<Step> {
        lifecycles::step(self.event, &Status::ALL, Status::on)
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        let Some(mut hostname) = find(cx, &self.r#ref) else { return "gone".to_owned() };
        match self.event {
            Event::Verify => hostname.verify(cx),
            Event::Certify | Event::FailCertificate => hostname.certify(cx, self.event),
            Event::Accept | Event::Activate => hostname.apply(self.event, Ssl::PendingValidation),
        }
        if hostname.status == Status::ChallengeVerified {
            let usual_ms = cx.policy.durations.hostname_certificate_ms;
            let end = outcome::of(cx, Work::Certificate, &self.r#ref, usual_ms);
            let event = end.pick(Event::Certify, Event::FailCertificate);
            end.schedule(cx, &Progress { event, ..self });
        }
        text_of(&hostname.stored(cx).status)
    }
}

/// A custom hostname as stored.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    project: String,
    pub(crate) hostname: String,
    id: String,
    ownership: String,
    challenge: String,
    pub(crate) status: Status,
    /// Whether its owner was verified.
    owned: bool,
    verification_errors: Vec<String>,
    ssl: Ssl,
    validation_errors: Vec<String>,
    changed_by_call: u64,
}

impl Stored {
    fn apply(&mut self, event: Event, ssl: Ssl) {
        self.status = self.status.on(event).expect("a hostname's work is scheduled for the state it is in");
        self.ssl = ssl;
    }

    /// Checks the records: first those of the owner, then those of the certificate.
    fn verify(&mut self, cx: &Cx<'_>) {
        self.verification_errors = if self.owned { Vec::new() } else { self.ownership_problems(cx) };
        self.owned = self.verification_errors.is_empty();
        if !self.owned {
            return;
        }
        self.validation_errors = self.certificate_problems(cx);
        if self.validation_errors.is_empty() {
            self.apply(Event::Verify, Ssl::PendingDeployment);
        } else {
            self.ssl = Ssl::PendingValidation;
        }
    }

    fn certify(&mut self, cx: &Cx<'_>, event: Event) {
        self.validation_errors = self.certificate_problems(cx);
        if !self.validation_errors.is_empty() {
            self.apply(Event::FailCertificate, Ssl::PendingValidation);
        } else if event == Event::FailCertificate {
            self.validation_errors = vec!["the validation of the certificate timed out".to_owned()];
            self.apply(event, Ssl::ValidationTimedOut);
        } else {
            self.apply(event, Ssl::Active);
        }
    }

    fn ownership_problems(&self, cx: &Cx<'_>) -> Vec<String> {
        let (name, target) = (self.ownership_name(cx), self.origin(cx));
        let mut problems = Vec::new();
        if !dns::points_at(cx, &self.hostname, &target) {
            problems.push(format!("{} has no CNAME record that points at {target}", self.hostname));
        }
        if !dns::holds(cx, &name, &self.ownership) {
            problems.push(format!("{name} has no TXT record {}", self.ownership));
        }
        problems
    }

    fn certificate_problems(&self, cx: &Cx<'_>) -> Vec<String> {
        let (name, authorities) = (self.challenge_name(), &cx.profile.certificate_authorities);
        let mut problems = Vec::new();
        if !dns::holds(cx, &name, &self.challenge) {
            problems.push(format!("{name} has no TXT record {}", self.challenge));
        }
        if let Some(decides) = dns::forbids(cx, &self.hostname, authorities) {
            let authorities = authorities.join(" or ");
            problems.push(format!(
                "the caa records of {decides} do not allow {authorities} to issue a certificate"
            ));
        }
        problems
    }

    fn origin(&self, cx: &Cx<'_>) -> String {
        format!("{}.{}", self.project, cx.profile.project_domain)
    }

    fn ownership_name(&self, cx: &Cx<'_>) -> String {
        format!("{}.{}", cx.profile.hostname_ownership_label, self.hostname)
    }

    fn challenge_name(&self) -> String {
        format!("_acme-challenge.{}", self.hostname)
    }

    pub(crate) fn explain(&self, refusal: Error) -> Error {
        refusal.because("custom hostname", &self.hostname, None).because(
            "custom hostname status",
            text_of(&self.status),
            Some(self.changed_by_call),
        )
    }

    pub(crate) fn shown(&self, cx: &Cx<'_>) -> CustomHostname {
        let errors = &self.validation_errors;
        let validation_errors: Vec<_> =
            errors.iter().map(|message| ValidationError { message: message.clone() }).collect();
        let challenge =
            || ValidationRecord { txt_name: self.challenge_name(), txt_value: self.challenge.clone() };
        let ownership = |text: String| if self.owned { String::new() } else { text };
        CustomHostname {
            status: self.status,
            custom_hostname: self.hostname.clone(),
            data: HostnameData {
                success: true,
                errors: Vec::new(),
                messages: Vec::new(),
                result: HostnameResult {
                    id: self.id.clone(),
                    hostname: self.hostname.clone(),
                    ssl: HostnameSsl {
                        status: self.ssl.as_str().to_owned(),
                        validation_records: self.ssl.wants_records().then(challenge).into_iter().collect(),
                        validation_errors: Some(validation_errors).filter(|errors| !errors.is_empty()),
                    },
                    ownership_verification: OwnershipVerification {
                        r#type: ownership("txt".to_owned()),
                        name: ownership(self.ownership_name(cx)),
                        value: ownership(self.ownership.clone()),
                    },
                    custom_origin_server: self.origin(cx),
                    verification_errors: Some(self.verification_errors.clone())
                        .filter(|errors| !errors.is_empty()),
                    status: if self.owned { "active" } else { "pending" }.to_owned(),
                },
            },
        }
    }

    pub(crate) fn stored(self, cx: &Cx<'_>) -> Stored {
        let list = |texts: &[String]| serde_json::to_string(texts).expect("texts are plain data");
        cx.db.run(
            "UPDATE custom_hostname SET status = ?2, owned = ?3, verification_errors = ?4, ssl_status = ?5,
                                        validation_errors = ?6, changed_by_call = ?7 WHERE project = ?1",
            (
                &self.project,
                text_of(&self.status),
                self.owned,
                list(&self.verification_errors),
                self.ssl.as_str(),
                list(&self.validation_errors),
                cx.call as i64,
            ),
        );
        self
    }
}

pub(crate) fn load(cx: &Cx<'_>, project: &Row) -> Result<Stored, Error> {
    find(cx, &project.r#ref).ok_or_else(|| {
        Error::invalid("no_hostname", "No custom hostname configuration found.").because(
            "custom hostname",
            "none",
            None,
        )
    })
}

pub(crate) fn find(cx: &Cx<'_>, project: &str) -> Option<Stored> {
    let sql =
        "SELECT project, hostname, id, ownership, challenge, status, owned, verification_errors, ssl_status,
                      validation_errors, changed_by_call FROM custom_hostname WHERE project = ?1";
    let list =
        |text: String| serde_json::from_str(&text).expect("stored lists were written by the same type");
    cx.db.maybe(sql, (project,), |row| {
        let (status, ssl): (String, String) = (row.get(5)?, row.get(8)?);
        Ok(Stored {
            project: row.get(0)?,
            hostname: row.get(1)?,
            id: row.get(2)?,
            ownership: row.get(3)?,
            challenge: row.get(4)?,
            status: serde_json::from_value(status.into()).expect("stored statuses are published ones"),
            owned: row.get(6)?,
            verification_errors: list(row.get(7)?),
            ssl: Ssl::ALL
                .into_iter()
                .find(|one| one.as_str() == ssl)
                .expect("stored statuses are known ones"),
            validation_errors: list(row.get(9)?),
            changed_by_call: row.get::<_, i64>(10)? as u64,
        })
    })
}
