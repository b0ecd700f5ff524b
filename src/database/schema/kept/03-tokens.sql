-- Tokens of SDKs that the upstream has accepted, with their properties.
CREATE TABLE tokens (
    source TEXT NOT NULL REFERENCES sources,
    -- SHA-256 of the token.
    hash BLOB NOT NULL,
    is_frontend INTEGER NOT NULL,
    environment TEXT NOT NULL,
    -- Names of projects in lines; empty: all projects.
    projects TEXT NOT NULL,
    -- Milliseconds since 1970.
    confirmed_at INTEGER NOT NULL,
    PRIMARY KEY (source, hash)
) STRICT, WITHOUT ROWID;
