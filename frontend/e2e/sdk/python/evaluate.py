"""Evaluates toggles with the Python client library.

Reads {"url", "names", "contexts", "token"?, "cache"?} from standard input, and prints for each name and context
[isEnabled, variant] as JSON.
"""

import json
import sys

from UnleashClient import UnleashClient


def evaluate(name, context):
    return [client.is_enabled(name, context), client.get_variant(name, context)["name"]]


task = json.load(sys.stdin)
client = UnleashClient(
    url=task["url"] + "api",
    app_name="shop-python",
    disable_metrics=True,
    disable_registration=True,
    custom_headers={"Authorization": task["token"]} if "token" in task else {},
    cache_directory=task.get("cache"),
)
client.initialize_client()
json.dump([[evaluate(name, context) for context in task["contexts"]] for name in task["names"]], sys.stdout)
client.destroy()
