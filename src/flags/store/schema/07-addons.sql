CREATE TABLE addons (
    -- Never given twice, also not after deletion.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    provider TEXT NOT NULL,
    description TEXT,
    enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    -- Names and values of all parameters but the secrets.
    parameters TEXT NOT NULL CHECK (json_valid(parameters)),
    -- The types of events that it listens to.
    events TEXT NOT NULL CHECK (json_valid(events))
) STRICT;

CREATE TABLE addon_secrets (
    addon INTEGER NOT NULL REFERENCES addons ON DELETE CASCADE,
    parameter TEXT NOT NULL,
    -- Encrypted with the key beside the database, for this place alone.
    sealed BLOB NOT NULL,
    PRIMARY KEY (addon, parameter)
) STRICT, WITHOUT ROWID;

-- What is still to be sent: a row goes when its request was answered or given up.
CREATE TABLE deliveries (
    -- Receivers tell repeated requests by it.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    addon INTEGER NOT NULL REFERENCES addons ON DELETE CASCADE,
    event INTEGER NOT NULL REFERENCES events,
    -- The channel or issue that a tag of the toggle named.
    target TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    -- In milliseconds since 1970; while it is being sent: when that has to have ended.
    due_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX deliveries_of_addon ON deliveries (addon);
