CREATE TABLE addons (
    -- Never reused, not even after deletion.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    provider TEXT NOT NULL,
    description TEXT,
    enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    -- Names and values of all parameters except secrets.
    parameters TEXT NOT NULL CHECK (json_valid(parameters)),
    -- The types of the events that it listens to.
    events TEXT NOT NULL CHECK (json_valid(events))
) STRICT;

CREATE TABLE addon_secrets (
    addon INTEGER NOT NULL REFERENCES addons ON DELETE CASCADE,
    parameter TEXT NOT NULL,
    -- Encrypted with the key in the file next to the database, and bound to this addon and parameter.
    sealed BLOB NOT NULL,
    PRIMARY KEY (addon, parameter)
) STRICT, WITHOUT ROWID;

-- The outbox. A row is deleted when its delivery succeeded or was given up.
CREATE TABLE deliveries (
    -- Receivers detect repeated requests by this id.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    addon INTEGER NOT NULL REFERENCES addons ON DELETE CASCADE,
    event INTEGER NOT NULL REFERENCES events,
    -- The channel or issue, from a tag of the toggle.
    target TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    -- Milliseconds since 1970. While the delivery is being sent: the end of its lease.
    due_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX deliveries_of_addon ON deliveries (addon);
