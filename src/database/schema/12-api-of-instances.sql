-- The API that received the last report: 'server' or 'browser'. Null if it is not known.
ALTER TABLE instances ADD COLUMN api TEXT;
