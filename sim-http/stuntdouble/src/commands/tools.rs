//! `stuntdouble tools`: a tool server for models, by the Model Context Protocol over standard input and output.

use std::process::ExitCode;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    ErrorCode, Implementation, JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use serde_json::{Map, Value, json};
use sim_client::Client;
use sim_core::engine::near;
use sim_http::Server;

use super::messages::{Messages, REQUESTS, no_method};
use super::serve::signals;
use crate::Failure;
use crate::options::Options;
use crate::running::Running;

/// The tools that are one control operation: the tool's name, and the operation.
const OPERATIONS: [(&str, &str); 12] = [
    ("list_scenarios", "sim-list-scenarios"),
    ("create_world", "sim-create-world"),
    ("advance", "sim-advance-clock"),
    ("agenda", "sim-get-agenda"),
    ("explain", "sim-explain"),
    ("search_journal", "sim-search-journal"),
    ("query_journal", "sim-query-journal"),
    ("add_fault", "sim-add-fault"),
    ("set_outcome", "sim-set-next-outcome"),
    ("fork", "sim-fork-world"),
    ("diff", "sim-diff-worlds"),
    ("lens", "sim-get-lens"),
];

/// The tool that makes a call of the simulated API.
const CALL: &str = "call";

/// The methods that it knows.
const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/// The refusal of an argument of a tool.
fn wrong_argument(text: String) -> sim_client::Error {
    sim_client::Error { reason: "invalid_argument".to_owned(), ..sim_client::Error::no_answer(text) }
}

/// Serves tools until standard input ends.
pub(crate) fn run(options: Options) -> Result<ExitCode, Failure> {
    let options = options.settled_for_clients()?;
    let running = Running::start(&options, 0)?;
    let tools = Tools::of(&running.server)?;
    let served = signals()?.block_on(async {
        let service = tools.serve(Messages::of_this_process()).await.map_err(|error| error.to_string())?;
        service.waiting().await.map(drop).map_err(|error| error.to_string())
    });
    served.map_err(|why| Failure(format!("standard input: is no tool client, {why}")))?;
    Ok(ExitCode::SUCCESS)
}

/// The tools, and the server that they use.
#[derive(Clone)]
struct Tools {
    client: Client,
    instructions: String,
    tools: Arc<[Tool]>,
}

impl Tools {
    fn of(server: &Server) -> Result<Tools, Failure> {
        let failed = |error: sim_client::Error| Failure(error.message);
        let url = server.url();
        let client = match server.ca_pem() {
            None => Client::at(url),
            Some(pem) => Client::trusting(url, pem).map_err(failed)?,
        };
        let document: Value = client.control("sim-get-openapi", &()).map_err(failed)?;
        let mut tools = vec![call_tool()];
        tools.extend(OPERATIONS.iter().filter_map(|(name, operation)| described(name, operation, &document)));
        Ok(Tools { instructions: instructions(url, server.token()), client, tools: tools.into() })
    }

    fn answer(&self, name: &str, mut given: JsonObject) -> sim_client::Result<String> {
        let tool = self.tools.iter().find(|tool| tool.name == name);
        tool.map_or(Ok(()), |tool| check_names(tool, &given)).map_err(wrong_argument)?;
        let world = match given.get("world") {
            None => "main",
            Some(Value::String(name)) => name,
            Some(other) => return Err(wrong_argument(format!("world: must be a name, received {other}"))),
        };
        let world = self.client.world(world)?;
        given.remove("world");
        if name == CALL {
            return call(&world, &given);
        }
        let operation = OPERATIONS.iter().find(|(tool, _)| *tool == name).map(|(_, operation)| *operation);
        let answer: Value = world.control(operation.unwrap_or(name), &given)?;
        Ok(answer.to_string())
    }
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        info.server_info = Implementation::new("stuntdouble", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(self.instructions.clone());
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.into_owned();
        if !self.tools.iter().any(|tool| tool.name == name) {
            let names: Vec<&str> = self.tools.iter().map(|tool| &*tool.name).collect();
            let question = near::question(&name, names.iter().copied());
            let text = format!("there is no tool {name:?}; the tools are {}{question}", names.join(", "));
            return Err(ErrorData::invalid_params(text, None));
        }
        let (tools, given) = (self.clone(), request.arguments.unwrap_or_default());
        let answer = tokio::task::spawn_blocking(move || tools.answer(&name, given)).await;
        let result = match answer.map_err(|error| ErrorData::internal_error(error.to_string(), None))? {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(error) => CallToolResult::error(vec![ContentBlock::text(refusal(&error))]),
        };
        Ok(result.into())
    }

    /// A request that the protocol does not know in this form.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let CustomRequest { method, params, .. } = request;
        if REQUESTS.contains(&&*method) {
            return Err(ErrorData::invalid_params(wrong_params(&method, params.as_ref()), None));
        }
        Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, no_method(&method), None))
    }
}

/// Why a known request can't be read.
fn wrong_params(method: &str, params: Option<&Value>) -> String {
    let Some(params) = params else { return format!("params: must be given with {method}") };
    match method {
        "tools/call" if !params["name"].is_string() => "params.name: must be the name of a tool".to_owned(),
        "tools/call" => "params.arguments: must be an object".to_owned(),
        _ => format!("params: are not those of {method}"),
    }
}

fn instructions(url: &str, token: &str) -> String {
    format!(
        "A simulator of a platform's project-management API at {url}. Point the client under test at that URL with \
         the token {token} (the answers of create_world and fork have those of other worlds), or make calls with the tool {CALL}. Time passes with the tool advance. Each answer has the number of its call: give it to \
         the tool explain to learn why a call was refused. {url}/llms.txt is a guide of one page."
    )
}

fn refusal(error: &sim_client::Error) -> String {
    json!({ "status": error.status, "reason": error.reason, "message": error.message }).to_string()
}

/// The tool of a control operation: its summary, and a schema of its parameters and its body.
fn described(name: &'static str, operation: &str, document: &Value) -> Option<Tool> {
    let paths = document["paths"].as_object()?.values();
    let mut operations = paths.filter_map(Value::as_object).flat_map(Map::values);
    let found = operations.find(|one| one["operationId"] == operation)?;
    let body = &found["requestBody"]["content"]["application/json"]["schema"];
    let mut properties = body["properties"].as_object().cloned().unwrap_or_default();
    let mut required = body["required"].as_array().cloned().unwrap_or_default();
    for parameter in found["parameters"].as_array().into_iter().flatten() {
        let Some(field) = parameter["name"].as_str() else { continue };
        let mut schema = parameter["schema"].clone();
        schema["description"] = parameter["description"].clone();
        properties.insert(field.to_owned(), schema);
        required.extend((parameter["required"] == true).then(|| field.into()));
    }
    properties.insert("world".to_owned(), world_field());
    let mut schema = json!({ "type": "object", "properties": properties, "required": required });
    let definitions = definitions_of(&schema, document);
    if !definitions.is_empty() {
        schema["$defs"] = definitions.into();
    }
    let summary = found["summary"].as_str().unwrap_or_default();
    Some(Tool::new(name, summary.to_owned(), object(relocated(schema))))
}

/// The schemas of the document that `schema` refers to, and those that they refer to.
fn definitions_of(schema: &Value, document: &Value) -> Map<String, Value> {
    let mut found = Map::new();
    let mut open = references(schema);
    while let Some(name) = open.pop() {
        if !found.contains_key(&name) {
            let definition = document["components"]["schemas"][&name].clone();
            open.extend(references(&definition));
            found.insert(name, definition);
        }
    }
    found
}

const SCHEMAS: &str = "#/components/schemas/";

fn references(schema: &Value) -> Vec<String> {
    match schema {
        Value::Object(fields) => {
            let own = fields.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix(SCHEMAS));
            own.map(str::to_owned).into_iter().chain(fields.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        _ => Vec::new(),
    }
}

/// The schema with references to its own definitions.
fn relocated(schema: Value) -> Value {
    match schema {
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, relocated(value))).collect(),
        Value::Array(items) => items.into_iter().map(relocated).collect(),
        Value::String(text) if text.starts_with(SCHEMAS) => text.replace(SCHEMAS, "#/$defs/").into(),
        other => other,
    }
}

fn world_field() -> Value {
    json!({ "type": "string", "description": "Name of the world; main by default." })
}

fn call_tool() -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {
            "method": { "type": "string", "enum": METHODS },
            "path": { "type": "string", "description": "Path and query, as in /v1/projects." },
            "body": { "description": "The body, sent as JSON." },
            "token": { "type": "string", "description": "Token of the caller; the world's first token by default." },
            "world": world_field(),
        },
        "required": ["method", "path"],
    });
    let about = "Make a call of the simulated API; answers status, reason, number of the call, and body";
    Tool::new(CALL, about, object(schema))
}

/// Names an argument that a tool does not have, or lacks.
fn check_names(tool: &Tool, given: &JsonObject) -> Result<(), String> {
    let properties = tool.input_schema.get("properties").unwrap_or(&Value::Null);
    let known: Vec<&str> =
        properties.as_object().into_iter().flat_map(Map::keys).map(String::as_str).collect();
    if let Some(name) = given.keys().find(|name| !known.contains(&name.as_str())) {
        let question = near::question(name, known.iter().copied());
        return Err(format!("{name}: there is no such argument; there are {}{question}", known.join(", ")));
    }
    let required = tool.input_schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let lacking = required.filter_map(Value::as_str).find(|name| !given.contains_key(*name));
    lacking.map_or(Ok(()), |name| match properties[name]["enum"].as_array() {
        Some(values) => {
            let values: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
            Err(format!("{name}: must be one of {}", values.join(", ")))
        }
        None => Err(format!("{name}: must be given")),
    })
}

/// Names an argument that the tool `call` can't use.
fn check_call(given: &JsonObject) -> Result<(), String> {
    match given.get("method").and_then(Value::as_str) {
        Some(method) if METHODS.contains(&method) => {}
        Some(method) => {
            let question = near::question(method, METHODS);
            return Err(format!(
                "method: must be one of {}, received {method:?}{question}",
                METHODS.join(", ")
            ));
        }
        None => return Err(format!("method: must be one of {}", METHODS.join(", "))),
    }
    if let Some(token) = given.get("token").filter(|token| !token.is_string()) {
        return Err(format!("token: must be a text, received {token}"));
    }
    match given.get("path").and_then(Value::as_str) {
        Some(path) if !path.starts_with('/') => {
            Err(format!("path: must begin with /, as in /v1/projects, received {path:?}"))
        }
        Some(path) => match path.chars().find(|char| !char.is_ascii_graphic()) {
            Some(char) => Err(format!("path: must have {char:?} percent-encoded, as in %20 for a blank")),
            None => Ok(()),
        },
        None => Err("path: must be a text, as in /v1/projects".to_owned()),
    }
}

fn call(world: &sim_client::World, given: &JsonObject) -> sim_client::Result<String> {
    check_call(given).map_err(wrong_argument)?;
    let text = |name: &str| given.get(name).and_then(Value::as_str).unwrap_or_default();
    let method = text("method").parse().map_err(sim_client::Error::no_answer)?;
    let api = match given.contains_key("token") {
        true => world.api_as(text("token")),
        false => world.api(),
    };
    let reply = api.send(method, text("path"), given.get("body"))?;
    let body = reply.json().unwrap_or_else(|_| reply.text().into());
    let answer =
        json!({ "status": reply.status, "reason": reply.reason(), "call": reply.call(), "body": body });
    Ok(answer.to_string())
}

fn object(schema: Value) -> JsonObject {
    match schema {
        Value::Object(fields) => fields,
        _ => JsonObject::new(),
    }
}
