-- The pairs of a toggle and an application whose counts are stored.
CREATE TABLE counted_uses (
    id INTEGER NOT NULL PRIMARY KEY,
    toggle TEXT NOT NULL,
    -- Empty for the applications of the toggle that are not counted separately.
    application TEXT NOT NULL,
    -- The hour of the last report, in hours since 1970.
    last_hour INTEGER NOT NULL,
    UNIQUE (toggle, application)
) STRICT;

CREATE INDEX counted_uses_by_last_hour ON counted_uses (last_hour);

-- The time comes first in both keys, so that the rows of a batch are in a few pages.
CREATE TABLE minute_counts (
    -- Minutes since 1970.
    minute INTEGER NOT NULL,
    use_id INTEGER NOT NULL,
    yes INTEGER NOT NULL,
    no INTEGER NOT NULL,
    PRIMARY KEY (minute, use_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE hour_counts (
    -- Hours since 1970.
    hour INTEGER NOT NULL,
    use_id INTEGER NOT NULL,
    yes INTEGER NOT NULL,
    no INTEGER NOT NULL,
    PRIMARY KEY (hour, use_id)
) STRICT, WITHOUT ROWID;
