-- Schema 1 of SQLite: toggles and their history.
-- written: 1795881600
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    type TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    entity TEXT NOT NULL,
    entity_name TEXT NOT NULL,
    data TEXT NOT NULL CHECK (json_valid(data)),
    tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(tags)),
    diffs TEXT CHECK (json_valid(diffs))
) STRICT;
INSERT INTO "events" VALUES(1,'feature-created','operator','2026-11-28T15:55:02.710Z','feature','shop.basket','{"description":"The new basket","enabled":true,"name":"shop.basket","project":"shop","stale":false,"strategies":[{"constraints":[{"contextName":"country","operator":"IN","values":["NO"]}],"name":"flexibleRollout","parameters":{"groupId":"shop.basket","rollout":"40","stickiness":"default"}},{"name":"beta","parameters":{"group":"testers"}}],"type":"experiment","variants":[{"name":"blue","overrides":[{"contextName":"userId","values":["1","2"]}],"payload":{"type":"string","value":"x"},"stickiness":"default","weight":500,"weightType":"variable"},{"name":"green","stickiness":"default","weight":500,"weightType":"variable"}]}','[]',NULL);
INSERT INTO "events" VALUES(2,'feature-created','operator','2026-11-28T15:55:02.753Z','feature','shop.gift','{"enabled":false,"name":"shop.gift","project":"default","stale":false,"strategies":[{"name":"userWithId","parameters":{"userIds":"ada,grace"}}],"type":"release","variants":[]}','[]',NULL);
INSERT INTO "events" VALUES(3,'feature-created','operator','2026-11-28T15:55:02.774Z','feature','shop.gone','{"enabled":false,"name":"shop.gone","project":"default","stale":false,"strategies":[{"name":"default","parameters":{}}],"type":"release","variants":[]}','[]',NULL);
INSERT INTO "events" VALUES(4,'feature-archived','operator','2026-11-28T15:55:02.792Z','feature','shop.gone','{"name":"shop.gone"}','[]','[{"kind":"D","path":["enabled"],"lhs":false},{"kind":"D","path":["project"],"lhs":"default"},{"kind":"D","path":["stale"],"lhs":false},{"kind":"D","path":["strategies"],"lhs":[{"name":"default","parameters":{}}]},{"kind":"D","path":["type"],"lhs":"release"},{"kind":"D","path":["variants"],"lhs":[]}]');
INSERT INTO "events" VALUES(5,'feature-stale-on','operator','2026-11-28T15:55:02.834Z','feature','shop.gift','{"createdAt":"2026-11-28T15:55:02.753Z","description":null,"enabled":false,"lastSeenAt":null,"name":"shop.gift","project":"default","stale":true,"strategies":[{"name":"userWithId","parameters":{"userIds":"ada,grace"}}],"type":"release","variants":[]}','[]','[{"kind":"E","path":["stale"],"lhs":false,"rhs":true},{"kind":"N","path":["createdAt"],"rhs":"2026-11-28T15:55:02.753Z"},{"kind":"N","path":["description"],"rhs":null},{"kind":"N","path":["lastSeenAt"],"rhs":null}]');
INSERT INTO "events" VALUES(6,'feature-updated','operator','2026-11-28T15:55:03.704Z','feature','shop.basket','{"description":"The newest basket","enabled":true,"name":"shop.basket","project":"shop","stale":false,"strategies":[{"constraints":[{"contextName":"country","operator":"IN","values":["NO"]}],"name":"flexibleRollout","parameters":{"groupId":"shop.basket","rollout":"40","stickiness":"default"}},{"name":"beta","parameters":{"group":"testers"}}],"type":"experiment","variants":[{"name":"blue","overrides":[{"contextName":"userId","values":["1","2"]}],"payload":{"type":"string","value":"x"},"stickiness":"default","weight":500,"weightType":"variable"},{"name":"green","stickiness":"default","weight":500,"weightType":"variable"}]}','[]','[{"kind":"E","path":["description"],"lhs":"The new basket","rhs":"The newest basket"}]');
INSERT INTO "events" VALUES(7,'feature-archived','operator','2026-11-28T15:55:03.776Z','feature','shop.basket','{"name":"shop.basket"}','[]','[{"kind":"D","path":["description"],"lhs":"The newest basket"},{"kind":"D","path":["enabled"],"lhs":true},{"kind":"D","path":["project"],"lhs":"shop"},{"kind":"D","path":["stale"],"lhs":false},{"kind":"D","path":["strategies"],"lhs":[{"constraints":[{"contextName":"country","operator":"IN","values":["NO"]}],"name":"flexibleRollout","parameters":{"groupId":"shop.basket","rollout":"40","stickiness":"default"}},{"name":"beta","parameters":{"group":"testers"}}]},{"kind":"D","path":["type"],"lhs":"experiment"},{"kind":"D","path":["variants"],"lhs":[{"name":"blue","overrides":[{"contextName":"userId","values":["1","2"]}],"payload":{"type":"string","value":"x"},"stickiness":"default","weight":500,"weightType":"variable"},{"name":"green","stickiness":"default","weight":500,"weightType":"variable"}]}]');
INSERT INTO "events" VALUES(8,'feature-revived','operator','2026-11-28T15:55:03.833Z','feature','shop.basket','{"name":"shop.basket"}','[]','[]');
INSERT INTO "events" VALUES(9,'feature-updated','operator','2026-11-28T15:55:03.876Z','feature','shop.basket','{"createdAt":"2026-11-28T15:55:02.710Z","description":"The newest basket","enabled":true,"lastSeenAt":"2026-11-28T15:55:03.210Z","name":"shop.basket","project":"shop","stale":false,"strategies":[{"constraints":[{"contextName":"country","operator":"IN","values":["NO"]}],"name":"flexibleRollout","parameters":{"groupId":"shop.basket","rollout":"40","stickiness":"default"}},{"name":"beta","parameters":{"group":"testers"}}],"type":"experiment","variants":[{"name":"blue","overrides":[{"contextName":"userId","values":["1","2"]}],"payload":{"type":"string","value":"x"},"stickiness":"default","weight":500,"weightType":"variable"},{"name":"green","stickiness":"default","weight":500,"weightType":"variable"}]}','[]','[{"kind":"N","path":["createdAt"],"rhs":"2026-11-28T15:55:02.710Z"},{"kind":"N","path":["description"],"rhs":"The newest basket"},{"kind":"N","path":["enabled"],"rhs":true},{"kind":"N","path":["lastSeenAt"],"rhs":"2026-11-28T15:55:03.210Z"},{"kind":"N","path":["project"],"rhs":"shop"},{"kind":"N","path":["stale"],"rhs":false},{"kind":"N","path":["strategies"],"rhs":[{"constraints":[{"contextName":"country","operator":"IN","values":["NO"]}],"name":"flexibleRollout","parameters":{"groupId":"shop.basket","rollout":"40","stickiness":"default"}},{"name":"beta","parameters":{"group":"testers"}}]},{"kind":"N","path":["type"],"rhs":"experiment"},{"kind":"N","path":["variants"],"rhs":[{"name":"blue","overrides":[{"contextName":"userId","values":["1","2"]}],"payload":{"type":"string","value":"x"},"stickiness":"default","weight":500,"weightType":"variable"},{"name":"green","stickiness":"default","weight":500,"weightType":"variable"}]}]');
CREATE TABLE instance (
    id TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;
INSERT INTO "instance" VALUES('1b4e28ba-2fa1-41d2-883f-0016d3cca427');
CREATE TABLE toggles (
    name TEXT NOT NULL PRIMARY KEY,
    description TEXT,
    type TEXT NOT NULL,
    project TEXT NOT NULL,
    enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    stale INTEGER NOT NULL CHECK (stale IN (0, 1)),
    archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
    strategies TEXT NOT NULL CHECK (json_valid(strategies)),
    variants TEXT NOT NULL CHECK (json_valid(variants)),
    created_at TEXT NOT NULL,
    last_seen_at TEXT
) STRICT, WITHOUT ROWID;
INSERT INTO "toggles" VALUES('shop.basket','The newest basket','experiment','shop',1,0,0,'[{"name":"flexibleRollout","parameters":{"groupId":"shop.basket","rollout":"40","stickiness":"default"},"constraints":[{"contextName":"country","operator":"IN","values":["NO"]}]},{"name":"beta","parameters":{"group":"testers"}}]','[{"name":"blue","weight":500,"weightType":"variable","stickiness":"default","payload":{"type":"string","value":"x"},"overrides":[{"contextName":"userId","values":["1","2"]}]},{"name":"green","weight":500,"weightType":"variable","stickiness":"default"}]','2026-11-28T15:55:02.710Z','2026-11-28T15:55:03.210Z');
INSERT INTO "toggles" VALUES('shop.gift',NULL,'release','default',0,1,0,'[{"name":"userWithId","parameters":{"userIds":"ada,grace"}}]','[]','2026-11-28T15:55:02.753Z',NULL);
INSERT INTO "toggles" VALUES('shop.gone',NULL,'release','default',0,0,1,'[{"name":"default","parameters":{}}]','[]','2026-11-28T15:55:02.774Z',NULL);
CREATE INDEX events_of_entity ON events (entity, entity_name, id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('events',9);
COMMIT;
