//! Fuzzes the choice of the paths that are forwarded.

#![no_main]

use flagdeck::proxy::properties;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| properties::check_path(input));
