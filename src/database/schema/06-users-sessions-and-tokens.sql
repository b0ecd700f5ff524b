CREATE TABLE users (
    -- The user name for signing in.
    name TEXT NOT NULL PRIMARY KEY COLLATE NOCASE,
    full_name TEXT,
    -- The author in events of this user, so it must be unique.
    email TEXT UNIQUE COLLATE NOCASE,
    -- Argon2id in the PHC string format, salt and costs included.
    password_hash TEXT NOT NULL,
    permissions TEXT NOT NULL CHECK (json_valid(permissions)),
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    -- SHA-256 of the session token, so that a copy of this file does not contain valid tokens.
    token_hash BLOB NOT NULL PRIMARY KEY,
    -- Null for users who signed in with an email address only; then `email` is set.
    user TEXT COLLATE NOCASE REFERENCES users ON DELETE CASCADE,
    email TEXT,
    -- Seconds since 1970.
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
