-- The state of the flight recorder, in one row. Times are milliseconds since 1970.
CREATE TABLE recording (
    id INTEGER PRIMARY KEY,
    -- Of the identifiers of scopes.
    salt BLOB NOT NULL,
    -- The instance that records, and the end of its lease; empty if each instance records.
    holder TEXT NOT NULL,
    leased_until INTEGER NOT NULL
) STRICT;

-- Selections of toggles: what one token receives.
CREATE TABLE scopes (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    environment TEXT,
    query TEXT NOT NULL,
    lists_segments INTEGER NOT NULL,
    -- The last time at which its state was confirmed.
    confirmed INTEGER NOT NULL,
    -- The newest event in its state, if several instances record it.
    event INTEGER NOT NULL,
    -- The current number of its toggles.
    toggles INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Toggles and segments as JSON. Each text is stored once.
CREATE TABLE items (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    content BLOB NOT NULL
) STRICT;

-- What an item of a scope was, and when.
CREATE TABLE versions (
    -- Grows with time.
    id INTEGER PRIMARY KEY,
    scope TEXT NOT NULL,
    -- 0: toggle, 1: segment.
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    -- Null if the item did not exist.
    item INTEGER,
    -- When the state before was last confirmed, if that is known.
    since_after INTEGER,
    since INTEGER NOT NULL,
    -- Null if the version is current.
    until INTEGER
) STRICT;
CREATE UNIQUE INDEX current_versions ON versions (scope, kind, name) WHERE until IS NULL;
CREATE INDEX versions_of_scope ON versions (scope, since);
CREATE INDEX versions_of_name ON versions (scope, kind, name, since);
CREATE INDEX versions_of_item ON versions (item);
CREATE INDEX closed_versions ON versions (until) WHERE until IS NOT NULL;

-- The times in which SDKs got what is recorded: of the recorder (with an empty scope), and of a scope.
CREATE TABLE coverage (
    scope TEXT NOT NULL,
    since INTEGER NOT NULL,
    -- In an open range of the recorder, the last time at which it was alive; without a meaning in an open range of a scope.
    until INTEGER NOT NULL,
    -- Why the time ended, a number of GapReason; null while it is open.
    reason INTEGER
) STRICT;
CREATE INDEX coverage_of_scope ON coverage (scope, since);
CREATE UNIQUE INDEX open_coverage ON coverage (scope) WHERE reason IS NULL;

-- Numbers of changes that were not recorded before another one.
CREATE TABLE missed_changes (
    scope TEXT NOT NULL,
    time INTEGER NOT NULL,
    count INTEGER NOT NULL
) STRICT;
CREATE INDEX missed_changes_of_scope ON missed_changes (scope, time);
