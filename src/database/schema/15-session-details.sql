-- What administrators see of a session, and its revocation. The columns are null in older sessions.
-- Seconds since 1970, accurate to a minute.
ALTER TABLE sessions ADD COLUMN last_used_at INTEGER;
-- Address and name of the browser that signed in.
ALTER TABLE sessions ADD COLUMN client_address TEXT;
ALTER TABLE sessions ADD COLUMN client_name TEXT;
-- Revoked sessions are kept until their browser has forgotten them, because it would otherwise renew them silently.
ALTER TABLE sessions ADD COLUMN revoked_at INTEGER;
