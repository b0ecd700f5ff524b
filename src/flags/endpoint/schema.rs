//! JSON schemas of request and response bodies. Only the test that generates the OpenAPI document uses them, so that the
//! program contains none.
#![cfg_attr(not(test), expect(clippy::extra_unused_type_parameters, reason = "only tests generate schemas"))]

#[cfg(test)]
pub(in crate::flags) use schemars::JsonSchema as ResponseBody;
#[cfg(test)]
use schemars::SchemaGenerator;
#[cfg(not(test))]
pub(in crate::flags) use serde::Serialize as ResponseBody;
#[cfg(test)]
use serde_json::Value;

use crate::flags::validation::RequestBody;
#[cfg(test)]
use crate::flags::validation::description::Components;

/// The schema of a type.
#[derive(Debug)]
pub struct Schema {
    #[cfg(test)]
    pub(crate) generate: fn(&mut Generator) -> Value,
}

/// Generates schemas and collects those that the document contains.
#[cfg(test)]
pub(crate) struct Generator {
    pub(crate) responses: SchemaGenerator,
    pub(crate) requests: Components,
    /// Request bodies that serde reads.
    pub(crate) parsed_requests: SchemaGenerator,
}

impl Schema {
    pub(in crate::flags) fn of_request<B: RequestBody>() -> Self {
        Self {
            #[cfg(test)]
            generate: |generator| generator.requests.reference::<B>(),
        }
    }

    pub(in crate::flags) fn of_replacement<B: RequestBody>() -> Self {
        Self {
            #[cfg(test)]
            generate: |generator| generator.requests.replacement::<B>(),
        }
    }

    pub(in crate::flags) fn of_response<T: ResponseBody>() -> Self {
        Self {
            #[cfg(test)]
            generate: |generator| generator.responses.subschema_for::<T>().to_value(),
        }
    }
}
