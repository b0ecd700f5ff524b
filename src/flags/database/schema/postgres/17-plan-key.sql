ALTER TABLE instance ADD COLUMN plan_key BYTEA;
