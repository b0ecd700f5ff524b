CREATE TABLE identities (
    issuer TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    full_name TEXT COLLATE "C",
    email TEXT COLLATE "C",
    signed_in_at BIGINT,
    "user" TEXT COLLATE "C" REFERENCES users ON DELETE SET NULL,
    PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_of_user ON identities ("user");
