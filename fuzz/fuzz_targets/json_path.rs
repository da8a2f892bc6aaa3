#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sim_fixtures::fuzz::json_path(data));
