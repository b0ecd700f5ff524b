-- Copies of the replica. The types are those of SQLite; `database/kept/schema.rs` converts them for PostgreSQL.

-- The upstreams whose toggles are copied, with the salt of all hashes of credentials. Each write transaction locks its row.
CREATE TABLE sources (
    url TEXT NOT NULL PRIMARY KEY,
    salt BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE bodies (
    -- SHA-256 of the body.
    hash BLOB NOT NULL PRIMARY KEY,
    gzip BLOB NOT NULL
) STRICT;

CREATE TABLE copies (
    -- Salted hash of the credential and the selection of toggles.
    key BLOB NOT NULL PRIMARY KEY,
    -- Salted hash of the credential.
    credential BLOB NOT NULL,
    source TEXT NOT NULL REFERENCES sources,
    content_type TEXT NOT NULL,
    etag TEXT,
    body BLOB NOT NULL REFERENCES bodies,
    -- Milliseconds since 1970.
    confirmed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX copies_of_credential ON copies (credential);
CREATE INDEX copies_with_body ON copies (body);

-- Credentials that the upstream has accepted. The bounds for unknown tokens do not apply to them.
CREATE TABLE accepted (
    credential BLOB NOT NULL PRIMARY KEY,
    source TEXT NOT NULL REFERENCES sources,
    accepted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
