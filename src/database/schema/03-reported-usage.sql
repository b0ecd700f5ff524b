CREATE TABLE applications (
    name TEXT NOT NULL PRIMARY KEY,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    -- The IP address of the first report.
    created_by TEXT NOT NULL,
    -- The names of the strategies that it implements.
    strategies TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(strategies)),
    description TEXT,
    url TEXT,
    icon TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE instances (
    application TEXT NOT NULL REFERENCES applications ON DELETE CASCADE,
    id TEXT NOT NULL,
    sdk_version TEXT,
    address TEXT NOT NULL,
    created_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    PRIMARY KEY (application, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX instances_by_last_seen ON instances (last_seen_at);

-- The toggles that each application uses, including names that do not exist.
CREATE TABLE toggle_uses (
    application TEXT NOT NULL REFERENCES applications ON DELETE CASCADE,
    toggle TEXT NOT NULL,
    PRIMARY KEY (application, toggle)
) STRICT, WITHOUT ROWID;

CREATE TABLE toggle_counts (
    -- Minutes since 1970.
    minute INTEGER NOT NULL,
    toggle TEXT NOT NULL,
    yes INTEGER NOT NULL,
    no INTEGER NOT NULL,
    PRIMARY KEY (minute, toggle)
) STRICT, WITHOUT ROWID;
