-- Null if the toggle was written without the property.
ALTER TABLE toggles ADD COLUMN dependencies TEXT CHECK (json_valid(dependencies));
ALTER TABLE toggles ADD COLUMN impression_data INTEGER CHECK (impression_data IN (0, 1));

CREATE TABLE segments (
    id INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT,
    constraints TEXT NOT NULL CHECK (json_valid(constraints)),
    created_by TEXT,
    created_at TEXT NOT NULL
) STRICT;
