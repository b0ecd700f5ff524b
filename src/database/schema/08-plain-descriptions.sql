-- Replaces the descriptions of built-in items that earlier migrations inserted, unless they were edited.

UPDATE strategies SET
    description = 'On for a random percentage of requests.',
    parameters = '[
    {"name": "percentage", "type": "percentage", "description": "Percentage of requests.", "required": false}
]'
WHERE name = 'gradualRolloutRandom' AND editable = 0;

UPDATE strategies SET
    description = 'On for a percentage of sessions. A session always gets the same result.',
    parameters = '[
    {"name": "percentage", "type": "percentage", "description": "Percentage of sessions.", "required": false},
    {"name": "groupId", "type": "string", "description": "Toggles with the same groupId select the same sessions.", "required": true}
]'
WHERE name = 'gradualRolloutSessionId' AND editable = 0;

UPDATE strategies SET
    description = 'On for a percentage of signed-in users. A user always gets the same result.',
    parameters = '[
    {"name": "percentage", "type": "percentage", "description": "Percentage of users.", "required": false},
    {"name": "groupId", "type": "string", "description": "Toggles with the same groupId select the same users.", "required": true}
]'
WHERE name = 'gradualRolloutUserId' AND editable = 0;

UPDATE strategies SET
    description = 'On for a percentage of users, sessions or requests, depending on the stickiness.',
    parameters = '[
    {"name": "rollout", "type": "percentage", "description": "Percentage of users who get the feature.", "required": false},
    {"name": "stickiness", "type": "string", "description": "Which ID decides, so that the same user always gets the same result: default, userId, sessionId, random or a context field.", "required": true},
    {"name": "groupId", "type": "string", "description": "Toggles with the same groupId select the same users.", "required": true}
]'
WHERE name = 'flexibleRollout' AND editable = 0;

UPDATE context_fields SET description = 'The environment in which the application runs, such as production.'
WHERE name = 'environment' AND description = 'Where the application runs, such as production.';

UPDATE context_fields SET description = 'The ID of the user.'
WHERE name = 'userId' AND description = 'Who is using the application.';

UPDATE context_fields SET description = 'The name of the application.'
WHERE name = 'appName' AND description = 'Which application is asking.';

UPDATE tag_types SET description = 'A free text that groups toggles.'
WHERE name = 'simple' AND description = 'Groups toggles by a word of your own.';

UPDATE projects SET description = 'Toggles without a project'
WHERE id = 'default' AND description = 'Where toggles belong that name no project.';
