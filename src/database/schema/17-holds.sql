-- Toggles that SDKs get as off for a limited time. Times are in milliseconds since 1970.
CREATE TABLE holds (
    id TEXT PRIMARY KEY,
    -- The URL of the upstream, or the id of this installation.
    source TEXT NOT NULL,
    toggle TEXT NOT NULL,
    -- Null for all environments.
    environment TEXT,
    reason TEXT NOT NULL,
    person TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL,
    -- Null until the hold has ended. A hold whose time has passed while no process ran has ended, too.
    ended_at INTEGER,
    -- expired, released or switched-off; null if a longer hold has replaced this one.
    cause TEXT,
    -- The person who has released it.
    ended_by TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX holds_by_end ON holds (source, ends_at);
CREATE INDEX holds_by_time_of_end ON holds (source, (coalesce(ended_at, ends_at)));
