//! Fuzzes the rewriting of `Set-Cookie` values.

#![no_main]

use flagdeck::proxy::properties;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| properties::check_cookie(input));
