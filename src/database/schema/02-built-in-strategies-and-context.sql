CREATE TABLE strategies (
    name TEXT NOT NULL PRIMARY KEY,
    description TEXT,
    parameters TEXT NOT NULL CHECK (json_valid(parameters)),
    deprecated INTEGER NOT NULL DEFAULT 0 CHECK (deprecated IN (0, 1)),
    -- Built-in strategies can neither be edited nor deleted.
    editable INTEGER NOT NULL DEFAULT 1 CHECK (editable IN (0, 1))
) STRICT, WITHOUT ROWID;

-- 08-plain-descriptions.sql replaces some of the descriptions below.
INSERT INTO strategies (name, description, parameters, editable) VALUES
('default', 'On for everyone while the toggle is enabled.', '[]', 0),
('userWithId', 'On for the users whose ids are listed.', '[
    {"name": "userIds", "type": "list", "description": "Ids of the users who get the feature.", "required": false}
]', 0),
('applicationHostname', 'On for applications that run on one of the hosts listed.', '[
    {"name": "hostNames", "type": "list", "description": "Names of the hosts.", "required": false}
]', 0),
('gradualRolloutRandom', 'On for a share of all requests, drawn anew each time.', '[
    {"name": "percentage", "type": "percentage", "description": "Share of the requests.", "required": false}
]', 0),
('gradualRolloutSessionId', 'On for a share of all sessions. A session keeps its answer.', '[
    {"name": "percentage", "type": "percentage", "description": "Share of the sessions.", "required": false},
    {"name": "groupId", "type": "string", "description": "Toggles with the same group pick the same sessions.", "required": true}
]', 0),
('gradualRolloutUserId', 'On for a share of all signed-in users. A user keeps the answer.', '[
    {"name": "percentage", "type": "percentage", "description": "Share of the users.", "required": false},
    {"name": "groupId", "type": "string", "description": "Toggles with the same group pick the same users.", "required": true}
]', 0),
('remoteAddress', 'On for requests from one of the addresses listed.', '[
    {"name": "IPs", "type": "list", "description": "IP addresses that get the feature.", "required": true}
]', 0),
('flexibleRollout', 'On for a share of users, sessions or requests, whichever it is told to stick to.', '[
    {"name": "rollout", "type": "percentage", "description": "Share of those who get the feature.", "required": false},
    {"name": "stickiness", "type": "string", "description": "What keeps its answer: default, userId, sessionId, random or a context field.", "required": true},
    {"name": "groupId", "type": "string", "description": "Toggles with the same group pick the same ones.", "required": true}
]', 0);

CREATE TABLE context_fields (
    name TEXT NOT NULL PRIMARY KEY,
    description TEXT,
    stickiness INTEGER NOT NULL DEFAULT 0 CHECK (stickiness IN (0, 1)),
    sort_order INTEGER NOT NULL DEFAULT 10,
    -- Null if any value is legal.
    legal_values TEXT CHECK (json_valid(legal_values)),
    created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO context_fields (name, description, sort_order, created_at)
SELECT column1, column2, column3, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
FROM (VALUES
    ('environment', 'Where the application runs, such as production.', 0),
    ('userId', 'Who is using the application.', 1),
    ('appName', 'Which application is asking.', 2)
);
