CREATE TABLE projects (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT,
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO projects (id, name, description, created_at)
VALUES ('default', 'Default', 'Where toggles belong that name no project.', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));

-- Toggles could refer to any project before this table existed.
INSERT OR IGNORE INTO projects (id, name, created_at)
SELECT DISTINCT project, project, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') FROM toggles;
