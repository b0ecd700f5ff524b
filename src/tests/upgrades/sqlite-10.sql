-- Schema 10 of SQLite. The password of anna and bert is "correct horse".
-- written: 1795881306
-- session: 52fe9ac7f1505963b41ea654ff7c8f8b21c65abd92d560ffd317566c27db3175
-- client token: c7942280d065012d7f20bd00a9fc8f46e0fa6d4306f520c0d44487ae434b942b
-- key: 3bdd8e2c7a3c9143afe06af54fe653ee8544f68f52bbfe0298d508a52de95b66
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE addon_secrets (
    addon INTEGER NOT NULL REFERENCES addons ON DELETE CASCADE,
    parameter TEXT NOT NULL,
    sealed BLOB NOT NULL,
    PRIMARY KEY (addon, parameter)
) STRICT, WITHOUT ROWID;
INSERT INTO "addon_secrets" VALUES(1,'apiKey',X'E4202299389C1F24774435DFCC9103CCBF0B9C2C788F25CD04199F3543E57EE0174760');
INSERT INTO "addon_secrets" VALUES(2,'url',X'4859BE120D844F7263AA48E382181759143F54C822C8CFE75E357EFAB6A5570B7517FCC1C6A0A779F93F7389C930A16EB490F4953C33D0CD11AEE12AF7771330F0');
INSERT INTO "addon_secrets" VALUES(3,'url',X'4CD03576828DAC7E653C23EAFB9D7CCB6AEF9C4ADCC3C2EB42BC8A5F27674732E4F06E669595DB44A44C74AD2CB87DA3B0181AC1F177295F');
CREATE TABLE addons (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    provider TEXT NOT NULL,
    description TEXT,
    enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
    parameters TEXT NOT NULL CHECK (json_valid(parameters)),
    events TEXT NOT NULL CHECK (json_valid(events))
) STRICT;
INSERT INTO "addons" VALUES(1,'jira-comment','issues',1,'{"baseUrl":"http://127.0.0.1:9","user":"ann"}','["feature-archived","feature-revived"]');
INSERT INTO "addons" VALUES(2,'webhook','hook',1,'{}','["feature-updated"]');
INSERT INTO "addons" VALUES(3,'slack','chat',0,'{"defaultChannel":"flags"}','["feature-created"]');
CREATE TABLE applications (
    name TEXT NOT NULL PRIMARY KEY,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    created_by TEXT NOT NULL,
    strategies TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(strategies)),
    description TEXT,
    url TEXT,
    icon TEXT
) STRICT, WITHOUT ROWID;
INSERT INTO "applications" VALUES('web','2026-11-28T15:55:03.210Z','2026-11-28T15:55:03.210Z','127.0.0.1','["default","flexibleRollout"]','The web shop','https://shop.example','web');
CREATE TABLE client_tokens (
    name TEXT NOT NULL PRIMARY KEY,
    token_hash BLOB NOT NULL UNIQUE,
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "client_tokens" VALUES('shop',X'621C584F92E48C9B2986194DC6D76CDA8A4046072A122A2119957FD4B095626D','2026-11-28T15:55:01.616Z');
CREATE TABLE context_fields (
    name TEXT NOT NULL PRIMARY KEY,
    description TEXT,
    stickiness INTEGER NOT NULL DEFAULT 0 CHECK (stickiness IN (0, 1)),
    sort_order INTEGER NOT NULL DEFAULT 10,
    legal_values TEXT CHECK (json_valid(legal_values)),
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "context_fields" VALUES('appName','The name of the application.',0,2,NULL,'2026-11-28T15:55:00.304Z');
INSERT INTO "context_fields" VALUES('country','Country of the user',1,4,'["NO","SE"]','2026-11-28T15:55:02.533Z');
INSERT INTO "context_fields" VALUES('environment','The environment in which the application runs, such as production.',0,0,NULL,'2026-11-28T15:55:00.304Z');
INSERT INTO "context_fields" VALUES('userId','The ID of the user.',0,1,NULL,'2026-11-28T15:55:00.304Z');
CREATE TABLE counted_uses (
    id INTEGER NOT NULL PRIMARY KEY,
    toggle TEXT NOT NULL,
    application TEXT NOT NULL,
    last_hour INTEGER NOT NULL,
    UNIQUE (toggle, application)
) STRICT;
INSERT INTO "counted_uses" VALUES(1,'shop.basket','web',498855);
CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    addon INTEGER NOT NULL REFERENCES addons ON DELETE CASCADE,
    event INTEGER NOT NULL REFERENCES events,
    target TEXT,
    attempts INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO "deliveries" VALUES(1,2,22,NULL,3,1795881309494);
INSERT INTO "deliveries" VALUES(2,1,23,'SHOP-1',3,1795881308487);
INSERT INTO "deliveries" VALUES(3,1,24,'SHOP-1',0,0);
INSERT INTO "deliveries" VALUES(4,2,25,NULL,0,0);
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
INSERT INTO "events" VALUES(2,'project-created','anna@example.com','2026-11-28T15:55:02.491Z','project','shop','{"description":"All of the shop","id":"shop","name":"Web shop"}','[]',NULL);
INSERT INTO "events" VALUES(3,'context-field-created','anna@example.com','2026-11-28T15:55:02.533Z','context-field','country','{"description":"Country of the user","legalValues":["NO","SE"],"name":"country","sortOrder":4,"stickiness":true}','[]',NULL);
INSERT INTO "events" VALUES(4,'strategy-created','anna@example.com','2026-11-28T15:55:02.561Z','strategy','beta','{"deprecated":false,"description":"For testers","editable":true,"name":"beta","parameters":[{"description":"","name":"group","required":true,"type":"list"}]}','[]',NULL);
INSERT INTO "events" VALUES(5,'tag-type-created','anna@example.com','2026-11-28T15:55:02.605Z','tag-type','team','{"description":"Owner","icon":"T","name":"team"}','[]',NULL);
INSERT INTO "events" VALUES(6,'tag-created','anna@example.com','2026-11-28T15:55:02.654Z','tag','team:checkout','{"type":"team","value":"checkout"}','[]',NULL);
INSERT INTO "events" VALUES(7,'tag-created','anna@example.com','2026-11-28T15:55:02.675Z','tag','simple:spring sale','{"type":"simple","value":"spring sale"}','[]',NULL);
INSERT INTO "events" VALUES(8,'feature-created','anna@example.com','2026-11-28T15:55:02.710Z','feature','shop.basket','{"description":"The new basket","enabled":true,"name":"shop.basket","project":"shop","stale":false,"strategies":[{"constraints":[{"contextName":"country","operator":"IN","values":["NO"]}],"name":"flexibleRollout","parameters":{"groupId":"shop.basket","rollout":"40","stickiness":"default"}},{"name":"beta","parameters":{"group":"testers"}}],"type":"experiment","variants":[{"name":"blue","overrides":[{"contextName":"userId","values":["1","2"]}],"payload":{"type":"string","value":"x"},"stickiness":"default","weight":500,"weightType":"variable"},{"name":"green","stickiness":"default","weight":500,"weightType":"variable"}]}','[]',NULL);
INSERT INTO "events" VALUES(9,'feature-tagged','anna@example.com','2026-11-28T15:55:02.740Z','feature-tag','shop.basket team:checkout','{"featureName":"shop.basket","tag":{"type":"team","value":"checkout"}}','[]',NULL);
INSERT INTO "events" VALUES(10,'feature-created','anna@example.com','2026-11-28T15:55:02.753Z','feature','shop.gift','{"enabled":false,"name":"shop.gift","project":"default","stale":false,"strategies":[{"name":"userWithId","parameters":{"userIds":"ada,grace"}}],"type":"release","variants":[]}','[]',NULL);
INSERT INTO "events" VALUES(11,'feature-created','anna@example.com','2026-11-28T15:55:02.774Z','feature','shop.gone','{"enabled":false,"name":"shop.gone","project":"default","stale":false,"strategies":[{"name":"default","parameters":{}}],"type":"release","variants":[]}','[]',NULL);
INSERT INTO "events" VALUES(12,'feature-archived','anna@example.com','2026-11-28T15:55:02.792Z','feature','shop.gone','{"name":"shop.gone"}','[]','[{"kind":"D","path":["enabled"],"lhs":false},{"kind":"D","path":["project"],"lhs":"default"},{"kind":"D","path":["stale"],"lhs":false},{"kind":"D","path":["strategies"],"lhs":[{"name":"default","parameters":{}}]},{"kind":"D","path":["type"],"lhs":"release"},{"kind":"D","path":["variants"],"lhs":[]}]');
INSERT INTO "events" VALUES(13,'feature-stale-on','anna@example.com','2026-11-28T15:55:02.834Z','feature','shop.gift','{"createdAt":"2026-11-28T15:55:02.753Z","description":null,"enabled":false,"lastSeenAt":null,"name":"shop.gift","project":"default","stale":true,"strategies":[{"name":"userWithId","parameters":{"userIds":"ada,grace"}}],"type":"release","variants":[]}','[]','[{"kind":"E","path":["stale"],"lhs":false,"rhs":true},{"kind":"N","path":["createdAt"],"rhs":"2026-11-28T15:55:02.753Z"},{"kind":"N","path":["description"],"rhs":null},{"kind":"N","path":["lastSeenAt"],"rhs":null}]');
INSERT INTO "events" VALUES(14,'segment-created','anna@example.com','2026-11-28T15:55:02.864Z','segment','1','{"constraints":[{"contextName":"userId","operator":"IN","values":["7"]}],"createdAt":"2026-11-28T15:55:02.864Z","createdBy":"anna@example.com","description":"People who test","id":1,"name":"testers"}','[]',NULL);
INSERT INTO "events" VALUES(15,'tag-type-created','anna@example.com','2026-11-28T15:55:03.473Z','tag-type','jira','{"description":"Issue","icon":"J","name":"jira"}','[]',NULL);
INSERT INTO "events" VALUES(16,'tag-created','anna@example.com','2026-11-28T15:55:03.525Z','tag','jira:SHOP-1','{"type":"jira","value":"SHOP-1"}','[]',NULL);
INSERT INTO "events" VALUES(17,'feature-tagged','anna@example.com','2026-11-28T15:55:03.546Z','feature-tag','shop.basket jira:SHOP-1','{"featureName":"shop.basket","tag":{"type":"jira","value":"SHOP-1"}}','[]',NULL);
INSERT INTO "events" VALUES(18,'addon-config-created','anna@example.com','2026-11-28T15:55:03.583Z','addon','1','{"description":"issues","enabled":true,"events":["feature-archived","feature-revived"],"id":1,"parameters":{"apiKey":"*****","baseUrl":"http://127.0.0.1:9","user":"ann"},"provider":"jira-comment"}','[]',NULL);
INSERT INTO "events" VALUES(19,'addon-config-created','anna@example.com','2026-11-28T15:55:03.602Z','addon','2','{"description":"hook","enabled":true,"events":["feature-updated"],"id":2,"parameters":{"url":"*****"},"provider":"webhook"}','[]',NULL);
INSERT INTO "events" VALUES(20,'tag-type-created','anna@example.com','2026-11-28T15:55:03.651Z','tag-type','slack','{"description":"Slack channel for messages about the toggle.","icon":"S","name":"slack"}','[]',NULL);
INSERT INTO "events" VALUES(21,'addon-config-created','anna@example.com','2026-11-28T15:55:03.651Z','addon','3','{"description":"chat","enabled":false,"events":["feature-created"],"id":3,"parameters":{"defaultChannel":"flags","url":"*****"},"provider":"slack"}','[]',NULL);
INSERT INTO "events" VALUES(22,'feature-updated','anna@example.com','2026-11-28T15:55:03.704Z','feature','shop.basket','{"description":"The newest basket","enabled":true,"name":"shop.basket","project":"shop","stale":false,"strategies":[{"constraints":[{"contextName":"country","operator":"IN","values":["NO"]}],"name":"flexibleRollout","parameters":{"groupId":"shop.basket","rollout":"40","stickiness":"default"}},{"name":"beta","parameters":{"group":"testers"}}],"type":"experiment","variants":[{"name":"blue","overrides":[{"contextName":"userId","values":["1","2"]}],"payload":{"type":"string","value":"x"},"stickiness":"default","weight":500,"weightType":"variable"},{"name":"green","stickiness":"default","weight":500,"weightType":"variable"}]}','[{"type":"jira","value":"SHOP-1"},{"type":"team","value":"checkout"}]','[{"kind":"E","path":["description"],"lhs":"The new basket","rhs":"The newest basket"}]');
INSERT INTO "events" VALUES(23,'feature-archived','anna@example.com','2026-11-28T15:55:03.776Z','feature','shop.basket','{"name":"shop.basket"}','[{"type":"jira","value":"SHOP-1"},{"type":"team","value":"checkout"}]','[{"kind":"D","path":["description"],"lhs":"The newest basket"},{"kind":"D","path":["enabled"],"lhs":true},{"kind":"D","path":["project"],"lhs":"shop"},{"kind":"D","path":["stale"],"lhs":false},{"kind":"D","path":["strategies"],"lhs":[{"constraints":[{"contextName":"country","operator":"IN","values":["NO"]}],"name":"flexibleRollout","parameters":{"groupId":"shop.basket","rollout":"40","stickiness":"default"}},{"name":"beta","parameters":{"group":"testers"}}]},{"kind":"D","path":["type"],"lhs":"experiment"},{"kind":"D","path":["variants"],"lhs":[{"name":"blue","overrides":[{"contextName":"userId","values":["1","2"]}],"payload":{"type":"string","value":"x"},"stickiness":"default","weight":500,"weightType":"variable"},{"name":"green","stickiness":"default","weight":500,"weightType":"variable"}]}]');
INSERT INTO "events" VALUES(24,'feature-revived','anna@example.com','2026-11-28T15:55:03.833Z','feature','shop.basket','{"name":"shop.basket"}','[{"type":"jira","value":"SHOP-1"},{"type":"team","value":"checkout"}]','[]');
INSERT INTO "events" VALUES(25,'feature-updated','anna@example.com','2026-11-28T15:55:03.876Z','feature','shop.basket','{"createdAt":"2026-11-28T15:55:02.710Z","description":"The newest basket","enabled":true,"lastSeenAt":"2026-11-28T15:55:03.210Z","name":"shop.basket","project":"shop","stale":false,"strategies":[{"constraints":[{"contextName":"country","operator":"IN","values":["NO"]}],"name":"flexibleRollout","parameters":{"groupId":"shop.basket","rollout":"40","stickiness":"default"}},{"name":"beta","parameters":{"group":"testers"}}],"type":"experiment","variants":[{"name":"blue","overrides":[{"contextName":"userId","values":["1","2"]}],"payload":{"type":"string","value":"x"},"stickiness":"default","weight":500,"weightType":"variable"},{"name":"green","stickiness":"default","weight":500,"weightType":"variable"}]}','[{"type":"jira","value":"SHOP-1"},{"type":"team","value":"checkout"}]','[{"kind":"N","path":["createdAt"],"rhs":"2026-11-28T15:55:02.710Z"},{"kind":"N","path":["description"],"rhs":"The newest basket"},{"kind":"N","path":["enabled"],"rhs":true},{"kind":"N","path":["lastSeenAt"],"rhs":"2026-11-28T15:55:03.210Z"},{"kind":"N","path":["project"],"rhs":"shop"},{"kind":"N","path":["stale"],"rhs":false},{"kind":"N","path":["strategies"],"rhs":[{"constraints":[{"contextName":"country","operator":"IN","values":["NO"]}],"name":"flexibleRollout","parameters":{"groupId":"shop.basket","rollout":"40","stickiness":"default"}},{"name":"beta","parameters":{"group":"testers"}}]},{"kind":"N","path":["type"],"rhs":"experiment"},{"kind":"N","path":["variants"],"rhs":[{"name":"blue","overrides":[{"contextName":"userId","values":["1","2"]}],"payload":{"type":"string","value":"x"},"stickiness":"default","weight":500,"weightType":"variable"},{"name":"green","stickiness":"default","weight":500,"weightType":"variable"}]}]');
CREATE TABLE hour_counts (
    hour INTEGER NOT NULL,
    use_id INTEGER NOT NULL,
    yes INTEGER NOT NULL,
    no INTEGER NOT NULL,
    PRIMARY KEY (hour, use_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "hour_counts" VALUES(498855,1,3,2);
CREATE TABLE instance (
    id TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;
INSERT INTO "instance" VALUES('db306414-a947-4dec-84fd-6cee2098f7aa');
CREATE TABLE instances (
    application TEXT NOT NULL REFERENCES applications ON DELETE CASCADE,
    id TEXT NOT NULL,
    sdk_version TEXT,
    address TEXT NOT NULL,
    created_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    PRIMARY KEY (application, id)
) STRICT, WITHOUT ROWID;
INSERT INTO "instances" VALUES('web','web-1','unleash-client-node:3.20.0','127.0.0.1','2026-11-28T15:55:03.210Z','2026-11-28T15:55:03.210Z');
CREATE TABLE minute_counts (
    minute INTEGER NOT NULL,
    use_id INTEGER NOT NULL,
    yes INTEGER NOT NULL,
    no INTEGER NOT NULL,
    PRIMARY KEY (minute, use_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "minute_counts" VALUES(29931355,1,3,2);
CREATE TABLE projects (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT,
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "projects" VALUES('default','Default','Toggles without a project','2026-11-28T15:55:00.304Z');
INSERT INTO "projects" VALUES('shop','Web shop','All of the shop','2026-11-28T15:55:02.491Z');
CREATE TABLE segments (
    id INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT,
    constraints TEXT NOT NULL CHECK (json_valid(constraints)),
    created_by TEXT,
    created_at TEXT NOT NULL
) STRICT;
INSERT INTO "segments" VALUES(1,'testers','People who test','[{"contextName":"userId","operator":"IN","values":["7"]}]','anna@example.com','2026-11-28T15:55:02.864Z');
CREATE TABLE sessions (
    token_hash BLOB NOT NULL PRIMARY KEY,
    user TEXT COLLATE NOCASE REFERENCES users ON DELETE CASCADE,
    email TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    CHECK ((user IS NULL) <> (email IS NULL))
) STRICT, WITHOUT ROWID;
INSERT INTO "sessions" VALUES(X'82244417F956AC7C599F191593F7E441A4FAFA20A4158FD52E154F1DC4C8ED92',NULL,'grace@example.com',1795881306,1795924506);
INSERT INTO "sessions" VALUES(X'DE7F6E888B5EA4021512FD1CB7477BF7504B2DF99CAE3C27159C9F6F449E1E80','anna',NULL,1795881302,1795924502);
CREATE TABLE strategies (
    name TEXT NOT NULL PRIMARY KEY,
    description TEXT,
    parameters TEXT NOT NULL CHECK (json_valid(parameters)),
    deprecated INTEGER NOT NULL DEFAULT 0 CHECK (deprecated IN (0, 1)),
    editable INTEGER NOT NULL DEFAULT 1 CHECK (editable IN (0, 1))
) STRICT, WITHOUT ROWID;
INSERT INTO "strategies" VALUES('applicationHostname','On for applications that run on one of the hosts listed.','[
    {"name": "hostNames", "type": "list", "description": "Names of the hosts.", "required": false}
]',0,0);
INSERT INTO "strategies" VALUES('beta','For testers','[{"name":"group","type":"list","description":"","required":true}]',0,1);
INSERT INTO "strategies" VALUES('default','On for everyone while the toggle is enabled.','[]',0,0);
INSERT INTO "strategies" VALUES('flexibleRollout','On for a percentage of users, sessions or requests, depending on the stickiness.','[
    {"name": "rollout", "type": "percentage", "description": "Percentage of users who get the feature.", "required": false},
    {"name": "stickiness", "type": "string", "description": "Which ID decides, so that the same user always gets the same result: default, userId, sessionId, random or a context field.", "required": true},
    {"name": "groupId", "type": "string", "description": "Toggles with the same groupId select the same users.", "required": true}
]',0,0);
INSERT INTO "strategies" VALUES('gradualRolloutRandom','On for a random percentage of requests.','[
    {"name": "percentage", "type": "percentage", "description": "Percentage of requests.", "required": false}
]',0,0);
INSERT INTO "strategies" VALUES('gradualRolloutSessionId','On for a percentage of sessions. A session always gets the same result.','[
    {"name": "percentage", "type": "percentage", "description": "Percentage of sessions.", "required": false},
    {"name": "groupId", "type": "string", "description": "Toggles with the same groupId select the same sessions.", "required": true}
]',0,0);
INSERT INTO "strategies" VALUES('gradualRolloutUserId','On for a percentage of signed-in users. A user always gets the same result.','[
    {"name": "percentage", "type": "percentage", "description": "Percentage of users.", "required": false},
    {"name": "groupId", "type": "string", "description": "Toggles with the same groupId select the same users.", "required": true}
]',0,0);
INSERT INTO "strategies" VALUES('remoteAddress','On for requests from one of the addresses listed.','[
    {"name": "IPs", "type": "list", "description": "IP addresses that get the feature.", "required": true}
]',0,0);
INSERT INTO "strategies" VALUES('userWithId','On for the users whose ids are listed.','[
    {"name": "userIds", "type": "list", "description": "Ids of the users who get the feature.", "required": false}
]',0,0);
CREATE TABLE tag_types (
    name TEXT NOT NULL PRIMARY KEY,
    description TEXT,
    icon TEXT
) STRICT, WITHOUT ROWID;
INSERT INTO "tag_types" VALUES('jira','Issue','J');
INSERT INTO "tag_types" VALUES('simple','A free text that groups toggles.','#');
INSERT INTO "tag_types" VALUES('slack','Slack channel for messages about the toggle.','S');
INSERT INTO "tag_types" VALUES('team','Owner','T');
CREATE TABLE tags (
    type TEXT NOT NULL REFERENCES tag_types ON DELETE CASCADE,
    value TEXT NOT NULL,
    PRIMARY KEY (type, value)
) STRICT, WITHOUT ROWID;
INSERT INTO "tags" VALUES('jira','SHOP-1');
INSERT INTO "tags" VALUES('simple','spring sale');
INSERT INTO "tags" VALUES('team','checkout');
CREATE TABLE toggle_counts (
    minute INTEGER NOT NULL,
    toggle TEXT NOT NULL,
    yes INTEGER NOT NULL,
    no INTEGER NOT NULL,
    PRIMARY KEY (minute, toggle)
) STRICT, WITHOUT ROWID;
INSERT INTO "toggle_counts" VALUES(29931355,'shop.basket',3,2);
CREATE TABLE toggle_tags (
    toggle TEXT NOT NULL REFERENCES toggles ON DELETE CASCADE,
    type TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (toggle, type, value),
    FOREIGN KEY (type, value) REFERENCES tags ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
INSERT INTO "toggle_tags" VALUES('shop.basket','jira','SHOP-1');
INSERT INTO "toggle_tags" VALUES('shop.basket','team','checkout');
CREATE TABLE toggle_uses (
    application TEXT NOT NULL REFERENCES applications ON DELETE CASCADE,
    toggle TEXT NOT NULL,
    PRIMARY KEY (application, toggle)
) STRICT, WITHOUT ROWID;
INSERT INTO "toggle_uses" VALUES('web','shop.basket');
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
, dependencies TEXT CHECK (json_valid(dependencies)), impression_data INTEGER CHECK (impression_data IN (0, 1))) STRICT, WITHOUT ROWID;
INSERT INTO "toggles" VALUES('shop.basket','The newest basket','experiment','shop',1,0,0,'[{"name":"flexibleRollout","parameters":{"groupId":"shop.basket","rollout":"40","stickiness":"default"},"constraints":[{"contextName":"country","operator":"IN","values":["NO"]}]},{"name":"beta","parameters":{"group":"testers"}}]','[{"name":"blue","weight":500,"weightType":"variable","stickiness":"default","payload":{"type":"string","value":"x"},"overrides":[{"contextName":"userId","values":["1","2"]}]},{"name":"green","weight":500,"weightType":"variable","stickiness":"default"}]','2026-11-28T15:55:02.710Z','2026-11-28T15:55:03.210Z',NULL,NULL);
INSERT INTO "toggles" VALUES('shop.gift',NULL,'release','default',0,1,0,'[{"name":"userWithId","parameters":{"userIds":"ada,grace"}}]','[]','2026-11-28T15:55:02.753Z',NULL,NULL,NULL);
INSERT INTO "toggles" VALUES('shop.gone',NULL,'release','default',0,0,1,'[{"name":"default","parameters":{}}]','[]','2026-11-28T15:55:02.774Z',NULL,NULL,NULL);
CREATE TABLE users (
    name TEXT NOT NULL PRIMARY KEY COLLATE NOCASE,
    full_name TEXT,
    email TEXT UNIQUE COLLATE NOCASE,
    password_hash TEXT NOT NULL,
    permissions TEXT NOT NULL CHECK (json_valid(permissions)),
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "users" VALUES('anna',NULL,'anna@example.com','$argon2id$v=19$m=19456,t=2,p=1$3oWc5ub2vn1Iwq+BBe95sw$OKUoeD2/vRiqY+fpM9IFs+UKzrFn2mbxAbhLpY2fh0M','["ADMIN"]','2026-11-28T15:55:01.173Z');
INSERT INTO "users" VALUES('bert',NULL,NULL,'$argon2id$v=19$m=19456,t=2,p=1$+sdAebinfX3nvB7JqL+/eQ$D/Ui22A61QoFfM7w6GtsG/5am7hGfAK3wiINcPLjZ/I','["UPDATE_FEATURE"]','2026-11-28T15:55:01.470Z');
CREATE INDEX events_of_entity ON events (entity, entity_name, id);
CREATE INDEX instances_by_last_seen ON instances (last_seen_at);
CREATE INDEX toggle_tags_by_tag ON toggle_tags (type, value);
CREATE INDEX sessions_of_user ON sessions (user, created_at);
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE INDEX deliveries_of_addon ON deliveries (addon);
CREATE INDEX counted_uses_by_last_hour ON counted_uses (last_hour);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('addons',3);
INSERT INTO "sqlite_sequence" VALUES('events',25);
INSERT INTO "sqlite_sequence" VALUES('deliveries',4);
COMMIT;
