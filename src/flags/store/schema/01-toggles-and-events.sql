-- Times are RFC 3339 texts in UTC with milliseconds: they sort as they stand.
-- Columns that hold JSON hold what the wire types of src/flags/model/ write.

CREATE TABLE instance (
    -- A random UUID (version 4) that tells installations apart.
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
    -- Archived toggles keep their row, so that their names stay taken.
    archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
    strategies TEXT NOT NULL CHECK (json_valid(strategies)),
    variants TEXT NOT NULL CHECK (json_valid(variants)),
    created_at TEXT NOT NULL,
    last_seen_at TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    -- Never given twice, also not after deletion.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    -- What the event is about: an event's changes are against the one before it about the same thing.
    entity TEXT NOT NULL,
    entity_name TEXT NOT NULL,
    data TEXT NOT NULL CHECK (json_valid(data)),
    tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
    -- Worked out when the event is written: what it is compared with never changes afterwards.
    diffs TEXT CHECK (json_valid(diffs))
) STRICT;

CREATE INDEX events_of_entity ON events (entity, entity_name, id);
