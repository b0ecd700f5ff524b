//! Fuzzes the parser of upstream responses.

#![no_main]

use flagdeck::upstream::properties;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| properties::check_response(input));
