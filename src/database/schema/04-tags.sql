CREATE TABLE tag_types (
    name TEXT NOT NULL PRIMARY KEY,
    description TEXT,
    icon TEXT
) STRICT, WITHOUT ROWID;

INSERT INTO tag_types (name, description, icon) VALUES ('simple', 'Groups toggles by a word of your own.', '#');

CREATE TABLE tags (
    type TEXT NOT NULL REFERENCES tag_types ON DELETE CASCADE,
    value TEXT NOT NULL,
    PRIMARY KEY (type, value)
) STRICT, WITHOUT ROWID;

CREATE TABLE toggle_tags (
    toggle TEXT NOT NULL REFERENCES toggles ON DELETE CASCADE,
    type TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (toggle, type, value),
    FOREIGN KEY (type, value) REFERENCES tags ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX toggle_tags_by_tag ON toggle_tags (type, value);
