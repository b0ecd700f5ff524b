-- Times are RFC 3339 texts in UTC with milliseconds, so that they sort as text.
-- JSON columns contain the types of src/api.rs.

CREATE TABLE instance (
    -- A random UUID (version 4) that identifies the installation.
    id TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

INSERT INTO instance (id)
SELECT lower(
    substr(bits, 1, 8) || '-' || substr(bits, 9, 4) || '-4' || substr(bits, 14, 3) || '-' ||
    substr('89AB', 1 + (abs(random()) % 4), 1) || substr(bits, 18, 3) || '-' || substr(bits, 21, 12)
)
FROM (SELECT hex(randomblob(16)) AS bits);

CREATE TABLE toggles (
    name TEXT NOT NULL PRIMARY KEY,
    description TEXT,
    type TEXT NOT NULL,
    project TEXT NOT NULL,
    enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    stale INTEGER NOT NULL CHECK (stale IN (0, 1)),
    -- Archived toggles keep their row, so that their names cannot be used again.
    archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
    strategies TEXT NOT NULL CHECK (json_valid(strategies)),
    variants TEXT NOT NULL CHECK (json_valid(variants)),
    created_at TEXT NOT NULL,
    last_seen_at TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    -- Never reused, not even after deletion.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    -- The changed item. The diffs compare an event with the previous event of the same item.
    entity TEXT NOT NULL,
    entity_name TEXT NOT NULL,
    data TEXT NOT NULL CHECK (json_valid(data)),
    tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
    -- Computed when the event is written, because the previous event never changes.
    diffs TEXT CHECK (json_valid(diffs))
) STRICT;

CREATE INDEX events_of_entity ON events (entity, entity_name, id);
