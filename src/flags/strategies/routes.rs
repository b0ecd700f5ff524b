//! Endpoints of strategy definitions.

use super::handlers;
use crate::api::{StrategiesResponse, StrategyDefinition};
use crate::flags::auth::Permission::{CreateStrategy, DeleteStrategy, UpdateStrategy};
use crate::flags::endpoint::{Endpoint, delete, get, post, put};

pub(in crate::flags) fn endpoints() -> Vec<Endpoint> {
    vec![
        get("/strategies", handlers::list)
            .summary("List strategy definitions")
            .returns::<StrategiesResponse>(200),
        post("/strategies", CreateStrategy, handlers::create)
            .summary("Create a strategy definition")
            .body::<StrategyDefinition>()
            .returns_empty(201)
            .fails_with(&[409]),
        get("/strategies/{name}", handlers::show)
            .summary("Get a strategy definition")
            .tagged()
            .returns::<StrategyDefinition>(200)
            .fails_with(&[404]),
        put("/strategies/{name}", UpdateStrategy, handlers::replace)
            .summary("Replace a strategy definition that is not built in")
            .conditional()
            .replacement::<StrategyDefinition>()
            .returns_empty(200)
            .fails_with(&[404]),
        delete("/strategies/{name}", DeleteStrategy, handlers::delete)
            .summary("Delete a strategy definition that is not built in")
            .conditional()
            .returns_empty(200)
            .fails_with(&[404]),
        post("/strategies/{name}/deprecate", UpdateStrategy, handlers::deprecate)
            .summary("Deprecate a strategy: do not offer it for new use")
            .conditional()
            .returns_empty(200)
            .fails_with(&[404]),
        post("/strategies/{name}/reactivate", UpdateStrategy, handlers::reactivate)
            .summary("Reactivate a deprecated strategy")
            .conditional()
            .returns_empty(200)
            .fails_with(&[404]),
    ]
}
