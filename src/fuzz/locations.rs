//! What upstreams write into `Location`, below their origin.

#![no_main]

use flagdeck::proxy::properties;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| properties::location(input));
