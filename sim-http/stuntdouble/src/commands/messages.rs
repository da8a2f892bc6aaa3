//! The messages of a tool client: one in each line of standard input. A line that is none is answered here, since the crate of the
//! protocol ignores it, and the client would wait for ever.

use std::io;
use std::pin::Pin;

use rmcp::RoleServer;
use rmcp::model::{ErrorCode, ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde_json::Value;
use sim_core::engine::near;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, Stdout,
};
use tokio::sync::mpsc;

/// The longest line in bytes, without its end; the protocol's crate ignores longer ones.
const LINE_MAX: usize = 16 * 1024 * 1024 - 1;

/// How many bytes of good lines, and how many refusals, wait for the protocol.
const BYTES_WAITING: usize = 64 * 1024;
const REFUSALS_WAITING: usize = 16;

/// The requests of the protocol that this server answers.
pub(crate) const REQUESTS: [&str; 4] = ["initialize", "ping", "tools/list", "tools/call"];

/// The refusal of a method that is none of them.
pub(crate) fn no_method(method: &str) -> String {
    let question = near::question(method, REQUESTS);
    format!("there is no method {method:?}; the methods are {}{question}", REQUESTS.join(", "))
}

type Answer = TxJsonRpcMessage<RoleServer>;

/// Standard input and output as messages.
pub(crate) struct Messages {
    inner: AsyncRwTransport<RoleServer, DuplexStream, Stdout>,
    refusals: mpsc::Receiver<Answer>,
    /// The refusal that is being written. Who waits for a message may give up at any time, and come back.
    sending: Option<Pin<Box<dyn Future<Output = io::Result<()>> + Send>>>,
}

impl Messages {
    /// Reads standard input from now on.
    pub(crate) fn of_this_process() -> Messages {
        let (good, read) = tokio::io::duplex(BYTES_WAITING);
        let (refuse, refusals) = mpsc::channel(REFUSALS_WAITING);
        tokio::spawn(sort(tokio::io::BufReader::new(tokio::io::stdin()), good, refuse));
        Messages { inner: AsyncRwTransport::new_server(read, tokio::io::stdout()), refusals, sending: None }
    }
}

impl Transport<RoleServer> for Messages {
    type Error = io::Error;

    fn send(&mut self, mut item: Answer) -> impl Future<Output = io::Result<()>> + Send + 'static {
        // The protocol's crate says nothing but the name of a method that it knows and this server does not have.
        if let JsonRpcMessage::Error(refusal) = &mut item
            && refusal.error.code == ErrorCode::METHOD_NOT_FOUND
            && !refusal.error.message.contains(' ')
        {
            refusal.error.message = no_method(&refusal.error.message).into();
        }
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(sending) = &mut self.sending {
                let sent = sending.await;
                self.sending = None;
                sent.ok()?;
            }
            let refusal = tokio::select! {
                // Input may end with a refusal.
                biased;
                Some(refusal) = self.refusals.recv() => refusal,
                message = self.inner.receive() => return message,
            };
            self.sending = Some(Box::pin(self.inner.send(refusal)));
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.inner.close().await
    }
}

/// Sorts the lines of the input into messages and refusals.
async fn sort(mut input: impl AsyncBufRead + Unpin, mut good: DuplexStream, refuse: mpsc::Sender<Answer>) {
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        let wrong = match read_line(&mut input, &mut line).await {
            Err(_) => return,
            Ok(false) if line.is_empty() => return,
            Ok(_) if line.len() > LINE_MAX => {
                let text = format!("a message has at most {LINE_MAX} bytes");
                Some((None, ErrorData::invalid_request(text, None)))
            }
            Ok(_) if line.trim_ascii().is_empty() => continue,
            Ok(_) => defect(&line),
        };
        let is_open = match wrong {
            None => good.write_all(&line).await.is_ok() && good.write_all(b"\n").await.is_ok(),
            Some((id, ErrorData { code, message, .. })) => {
                let error = ErrorData::new(code, format!("line {number}: {message}"), None);
                refuse.send(JsonRpcMessage::error(error, id)).await.is_ok()
            }
        };
        if !is_open {
            return;
        }
    }
}

/// Reads a line without its end; of one that is too long, a byte more than may be. `false`: the input has ended.
async fn read_line(input: &mut (impl AsyncBufRead + Unpin), line: &mut Vec<u8>) -> io::Result<bool> {
    let most = LINE_MAX as u64 + 1;
    (&mut *input).take(most).read_until(b'\n', line).await?;
    if line.ends_with(b"\n") {
        line.pop();
        return Ok(true);
    }
    // The rest of a line that is too long.
    let mut rest = Vec::new();
    while line.len() > LINE_MAX && !rest.ends_with(b"\n") {
        rest.clear();
        if (&mut *input).take(most).read_until(b'\n', &mut rest).await? == 0 {
            break;
        }
    }
    Ok(line.len() > LINE_MAX)
}

/// Why a line is no message, and the id that the answer needs.
fn defect(line: &[u8]) -> Option<(Option<RequestId>, ErrorData)> {
    let message: Value = match serde_json::from_slice(line) {
        Ok(message) => message,
        Err(error) => return Some((None, ErrorData::parse_error(format!("is not JSON: {error}"), None))),
    };
    let id = message.get("id").and_then(|id| serde_json::from_value(id.clone()).ok());
    let text = defect_of(&message)?;
    Some((id, ErrorData::invalid_request(text, None)))
}

/// What keeps a value from being a message.
fn defect_of(message: &Value) -> Option<&'static str> {
    let Value::Object(fields) = message else {
        return Some(match message {
            Value::Array(_) => "must be one message; write each message of a batch in a line of its own",
            _ => r#"must be an object, as in {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#,
        });
    };
    let is_answer = fields.contains_key("result") || fields.contains_key("error");
    let has = |name: &str, fits: fn(&Value) -> bool| fields.get(name).is_none_or(fits);
    let checks = [
        (fields.get("jsonrpc").is_some_and(|version| version == "2.0"), r#"jsonrpc: must be "2.0""#),
        (has("id", |id| id.is_i64() || id.is_string()), "id: must be a whole number or a text"),
        (is_answer || fields.contains_key("method"), "method: must be given, as in tools/list"),
        (has("method", Value::is_string), "method: must be a text, as in tools/list"),
        (has("params", Value::is_object), "params: must be an object"),
    ];
    checks.into_iter().find(|(holds, _)| !holds).map(|(_, text)| text)
}
