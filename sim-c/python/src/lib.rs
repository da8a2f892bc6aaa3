//! The extension of Python: worlds in process, as `stuntdouble/native.py` uses them.
//!
//! No call holds Python's lock while a world works, so threads with worlds of their own run at the same time. A world that is
//! closed while a call runs in another thread ends after that call. A panic of the simulator is Python's `PanicException`.
#![forbid(unsafe_code)]

use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Response};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use sim_in_process::{Asked, mishap};

pyo3::import_exception!(stuntdouble.errors, BadRequest);

/// The module. Python finds it by this name, whatever the name of its file.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::{Answer, World};
}

/// A world of a service in this process.
#[pyclass(frozen, module = "stuntdouble._native")]
struct World {
    held: Mutex<Option<Arc<sim_in_process::World>>>,
}

#[pymethods]
impl World {
    #[new]
    fn new(py: Python<'_>, settings: &str) -> PyResult<World> {
        let made = py.detach(|| sim_in_process::World::new(settings)).map_err(PyValueError::new_err)?;
        Ok(World { held: Mutex::new(Some(Arc::new(made))) })
    }

    /// What `GET /_sim/worlds/{name}` said when the world was made.
    #[getter]
    fn info(&self) -> PyResult<String> {
        Ok(self.open()?.info.to_string_lossy().into_owned())
    }

    /// Answers a request. A text among the headers has a character for each byte.
    #[pyo3(signature = (method, url, headers, body=None))]
    fn send(
        &self,
        py: Python<'_>,
        method: &str,
        url: &str,
        headers: &Bound<'_, PyAny>,
        body: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Answer> {
        let headers = read(headers)?;
        let body = body.map_or_else(|| Ok(Cow::default()), |body| bytes("the body", body))?;
        let world = self.open()?;
        let asked = Asked { method, target: url, headers, body: &body };
        let answer = py.detach(|| world.handle(asked)).map_err(BadRequest::new_err)?;
        let (mishap, mishap_ms) = mishap(&answer);
        Ok(Answer { answer, mishap: MISHAPS[mishap as usize], mishap_ms })
    }

    /// Ends the world. Closing twice is closing once.
    fn close(&self, py: Python<'_>) {
        let held = self.held().take();
        py.detach(|| drop(held));
    }
}

impl World {
    fn open(&self) -> PyResult<Arc<sim_in_process::World>> {
        let held = self.held().clone();
        held.ok_or_else(|| PyValueError::new_err("this simulator is closed"))
    }

    fn held(&self) -> MutexGuard<'_, Option<Arc<sim_in_process::World>>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a fault rule changes the delivery of an answer.
const MISHAPS: [&str; 5] = ["none", "delayed", "reset", "torn", "slow"];

/// An answer, and what happens to it on its way.
#[pyclass(frozen, module = "stuntdouble._native")]
struct Answer {
    answer: Response<Bytes>,
    /// `none`, `delayed`, `reset`, `torn` or `slow`.
    #[pyo3(get)]
    mishap: &'static str,
    /// How late it is, or how long its body takes.
    #[pyo3(get)]
    mishap_ms: u64,
}

#[pymethods]
impl Answer {
    #[getter]
    fn status(&self) -> u16 {
        self.answer.status().as_u16()
    }

    /// Names in lower case, and values. A text has a character for each byte, as those of `http.client`.
    #[getter]
    fn headers(&self) -> Vec<(&str, String)> {
        let text = |value: &HeaderValue| value.as_bytes().iter().copied().map(char::from).collect();
        self.answer.headers().iter().map(|(name, value)| (name.as_str(), text(value))).collect()
    }

    /// The same, as bytes.
    #[getter]
    fn raw_headers<'py>(&self, py: Python<'py>) -> Vec<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let bytes = |bytes| PyBytes::new(py, bytes);
        let headers = self.answer.headers().iter();
        headers.map(|(name, value)| (bytes(name.as_ref()), bytes(value.as_bytes()))).collect()
    }

    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.answer.body())
    }

    /// The longest time for which a reader of this answer sees nothing of it, in seconds. A slow body comes in ten pieces.
    #[getter]
    fn wait_s(&self) -> f64 {
        // Exact up to 2^53 ms, far beyond what a rule may say.
        match self.mishap {
            "delayed" => self.mishap_ms as f64 / 1_000.0,
            "slow" => self.mishap_ms as f64 / 10_000.0,
            _ => 0.0,
        }
    }
}

/// Pairs of names and values, each text or bytes.
fn read(headers: &Bound<'_, PyAny>) -> PyResult<HeaderMap> {
    let read = |pair: PyResult<Bound<'_, PyAny>>| {
        let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair?.extract()?;
        let (name, value) = (part(&name)?, part(&value)?);
        header(&name, &value).ok_or_else(|| {
            BadRequest::new_err(format!(
                "no connection carries the header {:?}: {:?}; it has no line breaks and no zero characters",
                String::from_utf8_lossy(&name),
                String::from_utf8_lossy(&value)
            ))
        })
    };
    headers.try_iter()?.map(read).collect()
}

fn header(name: &[u8], value: &[u8]) -> Option<(HeaderName, HeaderValue)> {
    let name = HeaderName::from_bytes(name.trim_ascii()).ok()?;
    Some((name, HeaderValue::from_bytes(value.trim_ascii()).ok()?))
}

/// The bytes of a part of a header.
fn part<'a>(part: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, [u8]>> {
    let Ok(text) = part.cast::<PyString>() else { return bytes("a header", part) };
    let text = text.to_cow()?;
    let found: Option<Vec<u8>> = text.chars().map(|letter| u8::try_from(letter).ok()).collect();
    found
        .map(Cow::Owned)
        .ok_or_else(|| BadRequest::new_err(format!("a header is Latin-1 or bytes, received {text:?}")))
}

fn bytes<'a>(name: &str, value: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, [u8]>> {
    value.extract().map_err(|_| {
        let kind = value.get_type();
        PyTypeError::new_err(format!("{name} must be bytes, received a value of {kind}"))
    })
}
