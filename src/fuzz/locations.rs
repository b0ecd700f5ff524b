//! Fuzzes the rewriting of `Location`. The input follows the upstream's origin.

#![no_main]

use flagdeck::proxy::properties;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| properties::check_location(input));
