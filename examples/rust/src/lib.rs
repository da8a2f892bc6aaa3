//! A client to be tested: it deploys a shop. It can be given four bugs, each of which such clients have had.

#![forbid(unsafe_code)]

use std::time::Duration;

use reqwest::Method;
use reqwest_middleware::ClientWithMiddleware;
use serde_json::{Value, json};
use tokio::time::sleep;

/// The page of the documentation that uses this client.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rust-async.md")]
struct AsyncPage;

/// A bug to switch on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// Creates again after a lost answer, without a look at what is there.
    BlindRetry,
    /// Does not wait as long as `retry-after` says.
    Impatient,
    /// Takes a project that was just created for one that is up.
    Eager,
    /// Creates a project elsewhere than it was told to.
    AtHome,
}

/// The service said no, and no other attempt would help: the call, and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub String);

const ATTEMPTS: usize = 8;

/// The client.
pub struct Deployer {
    http: ClientWithMiddleware,
    url: String,
    token: String,
    bugs: Vec<Bug>,
}

impl Deployer {
    /// A client of the service at `url`.
    pub fn new(http: ClientWithMiddleware, url: &str, token: &str, bugs: &[Bug]) -> Deployer {
        Deployer { http, url: url.to_owned(), token: token.to_owned(), bugs: bugs.to_vec() }
    }

    fn has(&self, bug: Bug) -> bool {
        self.bugs.contains(&bug)
    }

    /// The shop is there: an organization, a project that is up, a secret, a table.
    ///
    /// # Errors
    ///
    /// When the service refuses a call, or does not answer.
    pub async fn release(&self) -> Result<(), Refused> {
        let shop = self.ensure("/v1/organizations", json!({ "name": "Shop" })).await?;
        let wanted = json!({ "name": "shop", "region": "eu-west-1", "db_pass": "a-password", "organization_id": shop["id"] });
        let project = self.create_project(wanted).await?;
        let reference = project["id"].as_str().unwrap_or_default();
        self.wait_until_up(reference).await?;
        self.call(
            Method::POST,
            &format!("/v1/projects/{reference}/secrets"),
            json!([{ "name": "MODE", "value": "live" }]),
        )
        .await?;
        self.query(reference, "create table if not exists item (name text)").await?;
        Ok(())
    }

    /// The project of that name, created unless it is there.
    ///
    /// # Errors
    ///
    /// When the service refuses a call, or does not answer.
    pub async fn create_project(&self, mut wanted: Value) -> Result<Value, Refused> {
        if self.has(Bug::AtHome) {
            wanted["region"] = "us-east-1".into();
        }
        self.ensure("/v1/projects", wanted).await
    }

    /// Waits until a project can be used, for ten minutes at most.
    ///
    /// # Errors
    ///
    /// When it does not come up.
    pub async fn wait_until_up(&self, reference: &str) -> Result<(), Refused> {
        for _ in 0..30 {
            let projects = self.call(Method::GET, "/v1/projects", Value::Null).await?;
            let is_up = |one: &Value| one["id"] == reference && one["status"] == "ACTIVE_HEALTHY";
            if self.has(Bug::Eager) || projects.as_array().is_some_and(|all| all.iter().any(is_up)) {
                return Ok(());
            }
            sleep(Duration::from_secs(20)).await;
        }
        Err(Refused("the project did not come up".to_owned()))
    }

    /// Runs a statement that can be run twice without harm.
    ///
    /// # Errors
    ///
    /// When the service refuses it, or does not answer.
    pub async fn query(&self, reference: &str, sql: &str) -> Result<Value, Refused> {
        self.call(Method::POST, &format!("/v1/projects/{reference}/database/query"), json!({ "query": sql }))
            .await
    }

    /// What has that name in the list at `path`; created unless it is there.
    async fn ensure(&self, path: &str, wanted: Value) -> Result<Value, Refused> {
        for attempt in 0..ATTEMPTS {
            if attempt == 0 || !self.has(Bug::BlindRetry) {
                let list = self.call(Method::GET, path, Value::Null).await?;
                let mut there = list.as_array().into_iter().flatten();
                if let Some(one) = there.find(|one| one["name"] == wanted["name"]) {
                    return Ok(one.clone());
                }
            }
            // An empty answer is a success without the id: the next attempt finds what was made.
            let created = self.attempt(Method::POST, path, &wanted).await?;
            if let Some(created) = created.filter(|created| created["id"].is_string()) {
                return Ok(created);
            }
        }
        Err(Refused(format!("{path}: no answer to {ATTEMPTS} attempts")))
    }

    /// Makes a call that can be made twice without harm, until it succeeds.
    async fn call(&self, method: Method, path: &str, body: Value) -> Result<Value, Refused> {
        for _ in 0..ATTEMPTS {
            if let Some(answer) = self.attempt(method.clone(), path, &body).await? {
                return Ok(answer);
            }
        }
        Err(Refused(format!("{method} {path}: no answer to {ATTEMPTS} attempts")))
    }

    /// The answer, `{}` if it is empty. Nothing, after a wait, if there was none or another attempt may succeed.
    async fn attempt(&self, method: Method, path: &str, body: &Value) -> Result<Option<Value>, Refused> {
        let mut request =
            self.http.request(method.clone(), format!("{}{path}", self.url)).bearer_auth(&self.token);
        if !body.is_null() {
            request = request.json(body);
        }
        let Ok(answer) = request.send().await else { return Ok(self.later(1.0).await) };
        let status = answer.status();
        if status.as_u16() == 429 || status.is_server_error() {
            let told =
                answer.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse().ok());
            let seconds = if self.has(Bug::Impatient) { 0.1 } else { told.unwrap_or(1.0) };
            return Ok(self.later(seconds).await);
        }
        let Ok(text) = answer.text().await else { return Ok(self.later(1.0).await) };
        if status.is_client_error() {
            return Err(Refused(format!("{method} {path}: {} {text}", status.as_u16())));
        }
        if text.is_empty() && method != Method::GET {
            return Ok(Some(json!({})));
        }
        match serde_json::from_str(&text) {
            Ok(answer) => Ok(Some(answer)),
            Err(_) => Ok(self.later(1.0).await),
        }
    }

    async fn later(&self, seconds: f64) -> Option<Value> {
        sleep(Duration::from_secs_f64(seconds)).await;
        None
    }
}
