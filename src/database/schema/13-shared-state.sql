-- State of processes that share a database of PostgreSQL. With SQLite it is in memory, and the tables stay empty.

-- Counters of sign-in attempts.
CREATE TABLE sign_in_attempts (
    -- SHA-256 of the account, the address or both: users sometimes type their password instead of their name.
    key_hash BLOB NOT NULL PRIMARY KEY,
    -- The time when the limit of the key is available in full again, in milliseconds since 1970.
    arrival INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The minutes with counts in toggle_counts. Each process reads again those that changed since its last read.
CREATE TABLE counted_minutes (
    minute INTEGER NOT NULL PRIMARY KEY,
    -- The number in database_version of the last change.
    commits INTEGER NOT NULL
) STRICT;
