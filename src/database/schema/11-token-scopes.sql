-- Tokens of earlier versions are client tokens for all toggles.
ALTER TABLE client_tokens RENAME TO api_tokens;
ALTER TABLE api_tokens ADD COLUMN kind TEXT NOT NULL DEFAULT 'client' CHECK (kind IN ('client', 'frontend'));
ALTER TABLE api_tokens ADD COLUMN origins TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(origins));
ALTER TABLE api_tokens ADD COLUMN projects TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(projects));
ALTER TABLE api_tokens ADD COLUMN tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags));
-- Null if it is not known.
ALTER TABLE api_tokens ADD COLUMN created_by TEXT;
-- Null if the token was not used since this column exists.
ALTER TABLE api_tokens ADD COLUMN last_used_at TEXT;
