//! Fuzzes the selection of forwarded headers. The input holds one header per line.

#![no_main]

use flagdeck::proxy::properties;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| properties::check_headers(input));
