//! The page at which a user lets an OAuth app act for them: `/_sim/oauth/consent/page`, with the query of the authorization.
//!
//! A person presses a button; a test posts `decision=allow` or `decision=deny`, `user` if it is not the first, and a `project`
//! for each project to which the app is limited. The
//! decision is made by the control API, so it is in the journal, and the browser returns to the authorization.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue, LOCATION};
use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use serde_json::{Value, json};
use sim_core::{Error, Simulator};

/// The path of the page.
pub(crate) const PATH: &str = "/_sim/oauth/consent/page";

/// Where the browser goes after the decision, seen from the page.
const AUTHORIZATION: &str = "../../../v1/oauth/authorize";

/// The page, or the result of a decision that was made there.
pub(crate) fn answer(sim: &mut Simulator, parts: &Parts, body: &[u8]) -> Result<Response<Bytes>, Error> {
    let query = parts.uri.query().unwrap_or_default();
    if parts.method == Method::POST { decide(sim, query, body) } else { page(sim, query) }
}

fn page(sim: &Simulator, query: &str) -> Result<Response<Bytes>, Error> {
    let mut private = sim.fork();
    let Asked { app, back } = asking(&mut private, query)?;
    let users = list(&asked(&mut private, Method::GET, "/_sim/users", &Value::Null));
    let scopes =
        text(&app, "scopes").split(' ').map(|scope| format!("<li><code>{}</code></li>", escaped(scope)));
    let users = users.iter().map(|user| format!("<option>{}</option>", escaped(text(user, "name"))));
    let projects = private.query_journal(&projects_of(query)).unwrap_or_default();
    let projects = projects.iter().map(|project| {
        let [name, reference] =
            ["name", "ref"].map(|field| escaped(project[field].as_str().unwrap_or_default()));
        format!(r#"<li><label><input type="checkbox" name="project" value="{reference}"> {name}</label>"#)
    });
    let html = TEMPLATE
        .replace("{name}", &escaped(text(&app, "name")))
        .replace("{scopes}", &scopes.collect::<String>())
        .replace("{projects}", &projects.collect::<String>())
        .replace("{users}", &users.collect::<String>())
        .replace("{back}", &escaped(&back));
    let mut response = Response::new(Bytes::from(html));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    Ok(response)
}

/// Who asks for consent, and where the browser returns to.
struct Asked {
    app: Value,
    back: String,
}

/// Refuses what the authorization refuses too: nobody is asked, and no decision is kept, for an app that can't use it.
fn asking(private: &mut Simulator, query: &str) -> Result<Asked, Error> {
    let given = |name| field(query.as_bytes(), name).unwrap_or_default();
    let (client_id, back) = (given("client_id"), given("redirect_uri"));
    let apps = list(&asked(private, Method::GET, "/_sim/oauth/apps", &Value::Null));
    let app = apps.into_iter().find(|app| text(app, "client_id").eq_ignore_ascii_case(&client_id));
    let app = app.ok_or_else(|| {
        let text = "client_id: there is no such app; the address of this page comes from an authorization";
        Error::invalid("client_unknown", text).because("client_id", &client_id, None)
    })?;
    let registered = app["redirect_uris"].as_array();
    if !registered.is_some_and(|all| all.contains(&Value::from(back.as_str()))) {
        let text = "redirect_uri: is not one that the app registered; the address of this page comes from an authorization";
        return Err(Error::invalid("redirect_uri_unknown", text).because("app", &client_id, None));
    }
    Ok(Asked { app, back })
}

fn decide(sim: &mut Simulator, query: &str, body: &[u8]) -> Result<Response<Bytes>, Error> {
    asking(&mut sim.fork(), query)?;
    let granted = match field(body, "decision").as_deref() {
        Some("allow") => true,
        Some("deny") => false,
        _ => return Err(Error::invalid("invalid_body.decision", "decision: Expected 'allow' | 'deny'")),
    };
    let mut decision = json!({ "granted": granted, "once": true });
    if let Some(user) = field(body, "user") {
        decision["user"] = user.into();
    }
    let projects: Vec<_> = fields(body, "project").collect();
    if !projects.is_empty() {
        decision["projects"] = projects.into();
    }
    let decided = asked(sim, Method::PUT, "/_sim/oauth/consent", &decision);
    if !decided.status().is_success() {
        return Ok(decided);
    }
    let mut response = Response::new(Bytes::new());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let location = HeaderValue::try_from(format!("{AUTHORIZATION}?{query}"));
    response.headers_mut().insert(LOCATION, location.expect("a query can stand in a header"));
    Ok(response)
}

/// The answer to a control operation of the world.
fn asked(sim: &mut Simulator, method: Method, path: &str, body: &Value) -> Response<Bytes> {
    let body = if body.is_null() { Bytes::new() } else { Bytes::from(body.to_string()) };
    let request = Request::builder().method(method).uri(path).header(CONTENT_TYPE, "application/json");
    sim.handle(&request.body(body).expect("a request of known parts"))
}

fn list(response: &Response<Bytes>) -> Vec<Value> {
    serde_json::from_slice(response.body()).unwrap_or_default()
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

/// A field of a form or a query.
fn field(form: &[u8], name: &str) -> Option<String> {
    fields(form, name).next()
}

fn fields(form: &[u8], name: &str) -> impl Iterator<Item = String> {
    form_urlencoded::parse(form).filter(move |(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// The query for the projects that the page offers: those of the organization that the authorization names, or all.
fn projects_of(query: &str) -> String {
    let organization = field(query.as_bytes(), "organization_slug");
    let only = organization.map(|slug| format!("AND organization = '{}'", slug.replace('\'', "''")));
    format!(
        "SELECT ref, name FROM project WHERE branch_of IS NULL {} ORDER BY name, ref LIMIT 200",
        only.unwrap_or_default()
    )
}

/// The text in HTML. Braces are written as numbers too, so a value can't look like a place of the template.
fn escaped(text: &str) -> String {
    let written = |c: char| match c {
        '&' | '<' | '>' | '"' | '\'' | '{' | '}' => format!("&#{};", u32::from(c)),
        c => c.to_string(),
    };
    text.chars().map(written).collect()
}

const TEMPLATE: &str = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Allow {name}?</title>
<link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem }
  fieldset ul { list-style: none; padding: 0; margin: 0 }
  button { font: inherit; padding: .5rem 1.25rem; margin: 1rem .5rem 0 0 }
</style>
<main>
  <h1>Allow {name} to act for you?</h1>
  <p>It may use these scopes:</p>
  <ul>{scopes}</ul>
  <p>You return to <code>{back}</code>.</p>
  <form method="post">
    <p><label for="user">User</label> <select id="user" name="user">{users}</select></p>
    <fieldset>
      <legend>Only these projects; all if you choose none</legend>
      <ul>{projects}</ul>
    </fieldset>
    <button name="decision" value="allow">Allow</button>
    <button name="decision" value="deny">Deny</button>
  </form>
</main>
</html>
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_of_an_app_becomes_markup() {
        assert_eq!(escaped("<b a='1'>&{name}\""), "&#60;b a=&#39;1&#39;&#62;&#38;&#123;name&#125;&#34;");
    }
}
