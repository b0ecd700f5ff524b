//! What upstreams write into `Set-Cookie`.

#![no_main]

use flagdeck::proxy::properties;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| properties::cookie(input));
