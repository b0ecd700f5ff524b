"""Calls the embedded flag service with `flagdeck_client`, which openapi-python-client generates from its OpenAPI document.

The argument is the URL of the service.
"""

import sys
from http import HTTPStatus

from flagdeck_client import AuthenticatedClient
from flagdeck_client.api.addons import post_admin_addons
from flagdeck_client.api.client import get_client_features, post_client_register
from flagdeck_client.api.evaluation import post_evaluate
from flagdeck_client.api.features import get_admin_features_name, post_admin_features, put_admin_features_name
from flagdeck_client.api.files import post_files, post_plans
from flagdeck_client.api.holds import delete_holds_name, get_holds, get_holds_name, post_holds
from flagdeck_client.models import (
    Addon,
    ClientFeaturesResponse,
    EvaluateRequest,
    EvaluateResponse,
    Failure,
    FileRequest,
    FileResponse,
    HoldDraft,
    HoldList,
    HoldPreview,
    NamedText,
    NewHold,
    NewAddonWebhook,
    NewAddonWebhookEventsItem,
    NewAddonWebhookParameters,
    NewConstraint,
    NewOverride,
    NewStrategy,
    NewStrategyParameters,
    NewToggle,
    NewVariant,
    NewVariantPayload,
    NewVariantPayloadType,
    PlanRequest,
    PlanRequestExisting,
    PlanRequestItems,
    PlanReview,
    Registration,
    ReleasedHolds,
    ReplacedToggle,
    Toggle,
)

# The service requires neither a session nor a token.
client = AuthenticatedClient(base_url=sys.argv[1], token="none")

strategy = NewStrategy(
    name="flexibleRollout",
    parameters=NewStrategyParameters.from_dict({"rollout": 40, "stickiness": "default"}),
    constraints=[NewConstraint(context_name="environment", operator="IN", values=["test"])],
)
variant = NewVariant(
    name="blue",
    weight=1000,
    payload=NewVariantPayload(type_=NewVariantPayloadType.STRING, value="x"),
    overrides=[NewOverride(context_name="userId", values=["7"])],
)
created = post_admin_features.sync(
    client=client, body=NewToggle(name="shop.pay", strategies=[strategy], variants=[variant])
)
assert isinstance(created, Toggle), created
assert created.to_dict()["strategies"] == [
    {
        "name": "flexibleRollout",
        "parameters": {"rollout": "40", "stickiness": "default"},
        "constraints": [{"contextName": "environment", "operator": "IN", "values": ["test"]}],
    }
], created

refused = post_admin_features.sync(client=client, body=NewToggle(name="shop pay", strategies=[strategy]))
assert isinstance(refused, Failure), refused
assert refused.message == '"name" must be URL friendly', refused

replacement = ReplacedToggle(enabled=True, strategies=[NewStrategy(name="default")])
replaced = put_admin_features_name.sync_detailed("shop.pay", client=client, body=replacement)
assert replaced.status_code == HTTPStatus.OK, replaced
read = get_admin_features_name.sync("shop.pay", client=client)
assert isinstance(read, Toggle) and read.enabled and read.strategies[0].name == "default", read

addon = NewAddonWebhook(
    provider="webhook",
    enabled=False,
    events=[NewAddonWebhookEventsItem.FEATURE_CREATED],
    parameters=NewAddonWebhookParameters(url="http://localhost:9/hook"),
)
assert isinstance(post_admin_addons.sync(client=client, body=addon), Addon)

registered = post_client_register.sync_detailed(client=client, body=Registration(app_name="shop", instance_id="1"))
assert registered.status_code == HTTPStatus.ACCEPTED, registered
features = get_client_features.sync(client=client)
assert isinstance(features, ClientFeaturesResponse), features
assert [feature.name for feature in features.features] == ["shop.pay"], features

evaluation = EvaluateRequest.from_dict({"contexts": [{"userId": "7"}], "detail": "reasons"})
evaluated = post_evaluate.sync(client=client, body=evaluation)
assert isinstance(evaluated, EvaluateResponse), evaluated
assert evaluated.toggles[0].saved.counts.on == 1, evaluated

effect = get_holds_name.sync("shop.pay", client=client)
assert isinstance(effect, HoldPreview) and not effect.is_off, effect
held = post_holds.sync(client=client, body=HoldDraft(toggle="shop.pay", reason="INC-42"))
assert isinstance(held, NewHold) and held.hold.toggle == "shop.pay", held
holds = get_holds.sync(client=client)
assert isinstance(holds, HoldList) and [hold.reason for hold in holds.holds] == ["INC-42"], holds
released = delete_holds_name.sync("shop.pay", client=client)
assert isinstance(released, ReleasedHolds) and released.released == 1, released
unknown = delete_holds_name.sync("shop.pay", client=client)
assert isinstance(unknown, Failure) and "is not held" in unknown.message, unknown

file = post_files.sync(client=client, body=FileRequest(toggles=[read]))
assert isinstance(file, FileResponse) and "shop.pay" in file.yaml, file
plan = PlanRequest(
    files=[NamedText(name="shop.yaml", text=file.yaml)],
    target="test",
    existing=PlanRequestExisting.from_dict({}),
    archived=[],
    toggles=[],
    segments=[],
    items=PlanRequestItems.from_dict({"projects": ["default"], "strategies": ["default", "flexibleRollout"]}),
)
review = post_plans.sync(client=client, body=plan)
assert isinstance(review, PlanReview) and [change.name for change in review.changes] == ["shop.pay"], review
