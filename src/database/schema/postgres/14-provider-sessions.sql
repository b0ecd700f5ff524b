ALTER TABLE sessions ADD COLUMN issuer TEXT COLLATE "C";
ALTER TABLE sessions ADD COLUMN subject TEXT COLLATE "C";
ALTER TABLE sessions ADD COLUMN full_name TEXT COLLATE "C";
ALTER TABLE sessions ADD COLUMN provider_groups TEXT COLLATE "C" CHECK (json_valid(provider_groups));
ALTER TABLE sessions DROP CONSTRAINT sessions_check;
ALTER TABLE sessions ADD CHECK ((issuer IS NULL) = (subject IS NULL) AND (issuer IS NULL) = (provider_groups IS NULL));
ALTER TABLE sessions ADD CHECK (CASE WHEN issuer IS NULL THEN ("user" IS NULL) <> (email IS NULL) ELSE "user" IS NULL END);
DROP INDEX sessions_of_user;
CREATE INDEX sessions_of_user ON sessions ("user", issuer, subject, created_at);
