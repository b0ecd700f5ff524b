-- True if an administrator has disabled the account.
ALTER TABLE users ADD COLUMN is_disabled INTEGER NOT NULL DEFAULT 0;
-- End of the one-time password, in seconds since 1970; null if the user has chosen the password.
ALTER TABLE users ADD COLUMN one_time_until INTEGER;
