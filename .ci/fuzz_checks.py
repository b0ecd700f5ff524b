"""Schemathesis check of `make fuzz`: limits the size of responses. Writes the largest size to the file `largest`."""

import atexit
from pathlib import Path

import schemathesis

# Bytes. Only lists may be large, because they grow with the items that a run creates.
MAX_REJECTION = 1024 * 1024
MAX_RESPONSE = 16 * 1024 * 1024

largest = 0


@schemathesis.check
def response_size(ctx, response, case):
    global largest
    size = response.content_size
    largest = max(largest, size)
    limit = MAX_REJECTION if response.status_code >= 400 else MAX_RESPONSE
    assert size <= limit, f"A response with status {response.status_code} has {size} bytes, more than {limit}"


atexit.register(lambda: Path("largest").write_text(str(largest)))
