//! The functions of `include/stuntdouble.h`. The only unsafe code of this crate.
//!
//! A pointer that C gives is NULL or points to what the header says; NULL is refused wherever it is not allowed. What C gets is
//! owned by a `Box` that C gives back once. No panic leaves a function.
#![expect(unsafe_code, reason = "C calls these functions; this module is audited")]

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use bytes::Bytes;
use http::{Method, Response};
use serde_json::{Value, json};

use sim_in_process::{Asked, World, escaped, lines, mishap};

thread_local! {
    /// Why the last call of this thread that failed did so.
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// Any thread may use a world; the compiler can't see that C does.
const _: fn() = || {
    fn shared<T: Send + Sync>() {}
    shared::<World>();
};

/// An answer, `stuntdouble_response`.
#[repr(C)]
pub struct Reply {
    status: u16,
    /// 0: none; 1: the answer is late; 2: reset; 3: broken in the body; 4: in pieces.
    mishap: u32,
    mishap_ms: u64,
    headers: *const c_char,
    body: *const u8,
    body_length: usize,
}

/// A reply with what it points to. C sees the reply, which is at its start.
#[repr(C)]
struct Owned {
    reply: Reply,
    headers: CString,
    /// With a NUL at its end.
    body: Vec<u8>,
}

/// `stuntdouble_version`
#[unsafe(no_mangle)]
pub extern "C" fn stuntdouble_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("a version has no NUL"),
        };
    VERSION.as_ptr()
}

/// `stuntdouble_last_error`
#[unsafe(no_mangle)]
pub extern "C" fn stuntdouble_last_error() -> *const c_char {
    LAST_ERROR.with_borrow(|error| error.as_ptr())
}

/// `stuntdouble_new`
///
/// # Safety
///
/// `settings` is NULL or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stuntdouble_new(settings: *const c_char) -> *mut World {
    guarded(|| {
        let settings = match settings.is_null() {
            true => "{}",
            // SAFETY: it is a C string, by contract.
            false => unsafe { text("settings", settings) }?,
        };
        World::new(settings).map(boxed)
    })
}

/// `stuntdouble_fork`
///
/// # Safety
///
/// `world` is NULL or a world that is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stuntdouble_fork(world: *const World) -> *mut World {
    // SAFETY: it is a world, by contract.
    guarded(|| unsafe { held(world) }?.fork().map(boxed))
}

/// `stuntdouble_free`
///
/// # Safety
///
/// `world` is NULL or a world that is not freed, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stuntdouble_free(world: *mut World) {
    if !world.is_null() {
        // SAFETY: `boxed` made it, and it is freed once, by contract.
        let world = unsafe { Box::from_raw(world) };
        let _ = catch_unwind(AssertUnwindSafe(|| drop(world)));
    }
}

/// `stuntdouble_info`
///
/// # Safety
///
/// `world` is NULL or a world that is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stuntdouble_info(world: *const World) -> *const c_char {
    // SAFETY: it is a world, by contract.
    guarded(|| Ok(unsafe { held(world) }?.info.as_ptr().cast_mut())).cast_const()
}

/// `stuntdouble_handle`
///
/// # Safety
///
/// `world` is NULL or a world that is not freed; `method` and `target` are NULL or C strings, and so is `headers`; `body` is NULL,
/// or `body_length` bytes can be read there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stuntdouble_handle(
    world: *const World,
    method: *const c_char,
    target: *const c_char,
    headers: *const c_char,
    body: *const u8,
    body_length: usize,
) -> *mut Reply {
    guarded(|| {
        // SAFETY: they are as the contract says.
        let (world, method, target) =
            unsafe { (held(world)?, text("method", method)?, text("target", target)?) };
        let headers = match headers.is_null() {
            true => "",
            // SAFETY: it is a C string, by contract.
            false => unsafe { text("headers", headers) }?,
        };
        let body = match (body.is_null(), body_length) {
            (_, 0) => &[],
            (true, length) => return Err(format!("body: is NULL, but has {length} bytes")),
            // SAFETY: so many bytes can be read, by contract.
            (false, length) => unsafe { std::slice::from_raw_parts(body, length) },
        };
        world.handle(Asked { method, target, headers: sim_in_process::headers(headers)?, body }).map(reply)
    })
}

/// `stuntdouble_advance`
///
/// # Safety
///
/// `world` is NULL or a world that is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stuntdouble_advance(world: *const World, milliseconds: u64) -> *mut Reply {
    // SAFETY: it is a world, by contract.
    unsafe {
        control(world, |_| {
            Ok((Method::POST, "/_sim/clock/advance".into(), Some(json!({ "ms": milliseconds }))))
        })
    }
}

/// `stuntdouble_snapshot`
///
/// # Safety
///
/// `world` is NULL or a world that is not freed; `name` is NULL or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stuntdouble_snapshot(world: *const World, name: *const c_char) -> *mut Reply {
    // SAFETY: they are as the contract says.
    unsafe {
        control(world, |_| {
            let name = text("name", name)?;
            Ok((Method::POST, "/_sim/snapshots".into(), Some(json!({ "name": name }))))
        })
    }
}

/// `stuntdouble_restore`
///
/// # Safety
///
/// `world` is NULL or a world that is not freed; `name` is NULL or a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stuntdouble_restore(world: *const World, name: *const c_char) -> *mut Reply {
    // SAFETY: they are as the contract says.
    unsafe {
        control(world, |_| {
            let name = escaped(text("name", name)?);
            Ok((Method::POST, format!("/_sim/snapshots/{name}/restore"), None))
        })
    }
}

/// `stuntdouble_journal`
///
/// # Safety
///
/// `world` is NULL or a world that is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stuntdouble_journal(world: *const World, from: u64, limit: u64) -> *mut Reply {
    // SAFETY: it is a world, by contract.
    unsafe { control(world, |_| Ok((Method::GET, format!("/_sim/journal?from={from}&limit={limit}"), None))) }
}

/// `stuntdouble_explain`
///
/// # Safety
///
/// `world` is NULL or a world that is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stuntdouble_explain(world: *const World, call: u64) -> *mut Reply {
    // SAFETY: it is a world, by contract.
    unsafe { control(world, |_| Ok((Method::GET, format!("/_sim/journal/{call}/explain"), None))) }
}

/// `stuntdouble_response_free`
///
/// # Safety
///
/// `response` is NULL or a response that is not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stuntdouble_response_free(response: *mut Reply) {
    if !response.is_null() {
        // SAFETY: `reply` made it with all of `Owned`, and it is freed once, by contract.
        drop(unsafe { Box::from_raw(response.cast::<Owned>()) });
    }
}

/// Makes a control call to `world`.
///
/// # Safety
///
/// `world` is NULL or a world that is not freed.
unsafe fn control(
    world: *const World,
    call: impl FnOnce(&World) -> Result<(Method, String, Option<Value>), String>,
) -> *mut Reply {
    guarded(|| {
        // SAFETY: it is a world, by contract.
        let world = unsafe { held(world) }?;
        let (method, target, body) = call(world)?;
        world.control(method, &target, body).map(reply)
    })
}

/// The result of `call`; NULL if it fails or panics, with the reason as the last error.
fn guarded<T>(call: impl FnOnce() -> Result<*mut T, String>) -> *mut T {
    let done = catch_unwind(AssertUnwindSafe(call));
    let done = done.unwrap_or_else(|panic| Err(format!("a bug of the simulator: {}", message(&*panic))));
    done.unwrap_or_else(|error| {
        let error = CString::new(error.replace('\0', "\u{fffd}")).expect("its NULs are replaced");
        LAST_ERROR.set(error);
        ptr::null_mut()
    })
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// # Safety
///
/// `world` is NULL or a world that is not freed for as long as the reference is used.
unsafe fn held<'a>(world: *const World) -> Result<&'a World, String> {
    // SAFETY: it is a world, by contract.
    unsafe { world.as_ref() }.ok_or_else(|| "world: is NULL".to_owned())
}

/// # Safety
///
/// `text` is NULL or a C string for as long as the reference is used.
unsafe fn text<'a>(name: &str, text: *const c_char) -> Result<&'a str, String> {
    if text.is_null() {
        return Err(format!("{name}: is NULL"));
    }
    // SAFETY: it is a C string, by contract.
    unsafe { CStr::from_ptr(text) }.to_str().map_err(|error| format!("{name}: is not UTF-8: {error}"))
}

fn boxed(world: World) -> *mut World {
    Box::into_raw(Box::new(world))
}

fn reply(answer: Response<Bytes>) -> *mut Reply {
    let (mishap, mishap_ms) = mishap(&answer);
    let (parts, body) = answer.into_parts();
    let body = [&body[..], b"\0"].concat();
    let headers = CString::new(lines(&parts.headers)).expect("a header has no NUL");
    let reply = Reply {
        status: parts.status.as_u16(),
        mishap,
        mishap_ms,
        headers: headers.as_ptr(),
        body: body.as_ptr(),
        body_length: body.len() - 1,
    };
    // Texts and bytes are on the heap: moving their owners leaves them where they are.
    Box::into_raw(Box::new(Owned { reply, headers, body })).cast()
}
