"""Evaluates the toggle "t" of generated states with the Python client library, for ../verdicts.mjs.

Reads a JSON line {"states", "contexts"} for each group, and prints the verdict of each state and context in the format of
that script.
"""

import json
import logging
import sys

from UnleashClient import UnleashClient

DRAWS = 60
RANDOM = ("Random", "flexibleRollout", '"weight"')

logging.disable(logging.CRITICAL)
client = UnleashClient(
    url="http://localhost/api", app_name="shop", disable_metrics=True, disable_registration=True
)


def judge(context, draws):
    results = [client._evaluator.get_variant("t", context).variant for _ in range(draws)]
    on = [result["name"] if result["enabled"] else "" for result in results if result["feature_enabled"]]
    if not on:
        return "-"
    variant = on[0] if len(set(on)) == 1 else "?"
    return ("+" if len(on) == draws else "?") + variant


for line in sys.stdin:
    group = json.loads(line)
    verdicts = []
    for state in group["states"]:
        document = json.dumps({"version": 2, **state})
        client._engine.take_state(document)
        draws = DRAWS if any(word in document for word in RANDOM) else 1
        verdicts.append([judge(context, draws) for context in group["contexts"]])
    print(json.dumps(verdicts), flush=True)
