-- Persons whom an identity provider has identified, and the accounts to which they are linked.
CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    full_name TEXT,
    email TEXT,
    -- Seconds since 1970; null if the person was linked before the first sign-in.
    signed_in_at INTEGER,
    user TEXT COLLATE NOCASE REFERENCES users ON DELETE SET NULL,
    PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX identities_of_user ON identities (user);
