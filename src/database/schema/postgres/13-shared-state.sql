CREATE TABLE sign_in_attempts (
    key_hash BYTEA NOT NULL PRIMARY KEY,
    arrival BIGINT NOT NULL
);

CREATE TABLE counted_minutes (
    minute BIGINT NOT NULL PRIMARY KEY,
    commits BIGINT NOT NULL
);
