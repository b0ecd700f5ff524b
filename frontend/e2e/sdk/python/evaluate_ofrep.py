"""Evaluates toggles with the OFREP provider of OpenFeature.

Reads {"url", "token", "names", "contexts"} from standard input, and prints for each name and context [isEnabled, variant] as
JSON.
"""

import json
import sys

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext


def evaluate(name, context):
    is_enabled = client.get_boolean_details(f"{name}:enabled", False, context)
    variant = client.get_string_details(f"{name}:variant", "none", context)
    assert is_enabled.error_code is None, is_enabled
    return [is_enabled.value, variant.value]


task = json.load(sys.stdin)
headers = {"Authorization": f"Bearer {task['token']}"}
api.set_provider(OFREPProvider(task["url"], headers_factory=lambda: headers))
client = api.get_client()
contexts = [
    EvaluationContext(fields.get("targetingKey"), {name: fields[name] for name in fields if name != "targetingKey"})
    for fields in task["contexts"]
]
json.dump([[evaluate(name, context) for context in contexts] for name in task["names"]], sys.stdout)
