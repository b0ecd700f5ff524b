CREATE TABLE holds (
    id TEXT COLLATE "C" PRIMARY KEY,
    source TEXT COLLATE "C" NOT NULL,
    toggle TEXT COLLATE "C" NOT NULL,
    environment TEXT COLLATE "C",
    reason TEXT COLLATE "C" NOT NULL,
    person TEXT COLLATE "C" NOT NULL,
    made_at BIGINT NOT NULL,
    ends_at BIGINT NOT NULL,
    ended_at BIGINT,
    cause TEXT COLLATE "C",
    ended_by TEXT COLLATE "C"
);

CREATE INDEX holds_by_end ON holds (source, ends_at);
CREATE INDEX holds_by_time_of_end ON holds (source, (coalesce(ended_at, ends_at)));
