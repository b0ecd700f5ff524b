ALTER TABLE sessions ADD COLUMN last_used_at BIGINT;
ALTER TABLE sessions ADD COLUMN client_address TEXT COLLATE "C";
ALTER TABLE sessions ADD COLUMN client_name TEXT COLLATE "C";
ALTER TABLE sessions ADD COLUMN revoked_at BIGINT;
