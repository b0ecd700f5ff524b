CREATE TABLE users (
    -- What somebody types to sign in.
    name TEXT NOT NULL PRIMARY KEY COLLATE NOCASE,
    full_name TEXT,
    -- Signs what this user changes, so no two share one.
    email TEXT UNIQUE COLLATE NOCASE,
    -- Argon2id in the PHC string format, salt and costs included.
    password_hash TEXT NOT NULL,
    permissions TEXT NOT NULL CHECK (json_valid(permissions)),
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    -- SHA-256 of what the cookie holds, so that nobody signs in with what a copy of this file holds.
    token_hash BLOB NOT NULL PRIMARY KEY,
    -- Null where an address was enough to sign in: then that is the email.
    user TEXT COLLATE NOCASE REFERENCES users ON DELETE CASCADE,
    email TEXT,
    -- Seconds since 1970: they are compared and never told.
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    CHECK ((user IS NULL) <> (email IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_of_user ON sessions (user, created_at);
CREATE INDEX sessions_by_end ON sessions (expires_at);

CREATE TABLE client_tokens (
    name TEXT NOT NULL PRIMARY KEY,
    -- SHA-256 of the token.
    token_hash BLOB NOT NULL UNIQUE,
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
