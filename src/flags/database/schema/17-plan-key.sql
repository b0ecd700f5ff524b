-- Key that signs plans (`apply-needs-another-person`). All instances with this database use it. It is generated before the first plan.
ALTER TABLE instance ADD COLUMN plan_key BLOB;
