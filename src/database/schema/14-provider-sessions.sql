-- Sessions of users whom an identity provider has identified. The table is created again, because its condition changes.
CREATE TABLE new_sessions (
    -- SHA-256 of the session token, so that a copy of this file does not contain valid tokens.
    token_hash BLOB NOT NULL PRIMARY KEY,
    -- The user who signed in with a password.
    user TEXT COLLATE NOCASE REFERENCES users ON DELETE CASCADE,
    -- The email address of other users. That of an identity provider is verified, and may be missing.
    email TEXT,
    -- The identity provider and the id of the user there.
    issuer TEXT,
    subject TEXT,
    full_name TEXT,
    -- The groups at the identity provider that have an effect.
    provider_groups TEXT CHECK (json_valid(provider_groups)),
    -- Seconds since 1970.
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    CHECK ((issuer IS NULL) = (subject IS NULL) AND (issuer IS NULL) = (provider_groups IS NULL)),
    CHECK (CASE WHEN issuer IS NULL THEN (user IS NULL) <> (email IS NULL) ELSE user IS NULL END)
) STRICT, WITHOUT ROWID;

INSERT INTO new_sessions (token_hash, user, email, created_at, expires_at)
    SELECT token_hash, user, email, created_at, expires_at FROM sessions;
DROP TABLE sessions;
ALTER TABLE new_sessions RENAME TO sessions;

CREATE INDEX sessions_of_user ON sessions (user, issuer, subject, created_at);
CREATE INDEX sessions_by_end ON sessions (expires_at);
