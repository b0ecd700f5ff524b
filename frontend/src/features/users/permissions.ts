// The permissions of a user: groups of permissions for one kind of item, and their description.
import type { PermissionChange, PermissionName } from '@/api/generated/types';
import { capitalise } from '@/lib/text';

export const ADMIN: PermissionName = 'ADMIN';

/** Actions on the items of one kind, in the order of the columns. */
export const ACTIONS = ['create', 'edit', 'remove'] as const;
type Action = (typeof ACTIONS)[number];

/** Kind of the items, the action, and the verb if it is not the name of the action. */
type Grant = readonly [kind: string, action: Action, verb?: string];

const GRANTS: { [name in Exclude<PermissionName, 'ADMIN'>]: Grant } = {
  CREATE_FEATURE: ['toggles', 'create'],
  UPDATE_FEATURE: ['toggles', 'edit', 'edit and switch'],
  DELETE_FEATURE: ['toggles', 'remove', 'archive'],
  CREATE_STRATEGY: ['strategies', 'create'],
  UPDATE_STRATEGY: ['strategies', 'edit'],
  DELETE_STRATEGY: ['strategies', 'remove'],
  CREATE_SEGMENT: ['segments', 'create'],
  UPDATE_SEGMENT: ['segments', 'edit'],
  DELETE_SEGMENT: ['segments', 'remove'],
  CREATE_CONTEXT_FIELD: ['context fields', 'create'],
  UPDATE_CONTEXT_FIELD: ['context fields', 'edit'],
  DELETE_CONTEXT_FIELD: ['context fields', 'remove'],
  CREATE_PROJECT: ['projects', 'create'],
  UPDATE_PROJECT: ['projects', 'edit'],
  DELETE_PROJECT: ['projects', 'remove'],
  CREATE_TAG_TYPE: ['tag types', 'create'],
  UPDATE_TAG_TYPE: ['tag types', 'edit'],
  DELETE_TAG_TYPE: ['tag types', 'remove'],
  CREATE_TAG: ['tags', 'create'],
  DELETE_TAG: ['tags', 'remove'],
  UPDATE_APPLICATION: ['applications', 'edit', 'describe and remove'],
  CREATE_API_TOKEN: ['API tokens', 'create'],
  DELETE_API_TOKEN: ['API tokens', 'remove'],
  CREATE_ADDON: ['addons', 'create'],
  UPDATE_ADDON: ['addons', 'edit'],
  DELETE_ADDON: ['addons', 'remove'],
};

interface Grantable {
  permission: PermissionName;
  verb: string;
}

/** The permissions for the items of one kind. */
export interface Group {
  kind: string;
  byAction: { [action in Action]?: Grantable };
}

export const groups: readonly Group[] = toGroups();

function toGroups(): Group[] {
  const all = new Map<string, Group>();
  for (const [permission, [kind, action, verb = action]] of Object.entries(GRANTS)) {
    const group = all.get(kind) ?? { kind, byAction: {} };
    group.byAction[action] = { permission: permission as PermissionName, verb };
    all.set(kind, group);
  }
  return [...all.values()];
}

/** Returns the permissions of a group. */
function permissionsOf({ byAction }: Group): readonly Grantable[] {
  return ACTIONS.flatMap((action) => byAction[action] ?? []);
}

/** Describes permissions, such as "Toggles; tags (create)". */
export function describePermissions(permissions: readonly string[]): string {
  if (permissions.includes(ADMIN)) return 'Administrator';
  const parts = groups.flatMap((group) => {
    const all = permissionsOf(group);
    const granted = all.filter(({ permission }) => permissions.includes(permission));
    if (granted.length === 0) return [];
    if (granted.length === all.length) return [group.kind];
    return [`${group.kind} (${granted.map(({ verb }) => verb).join(', ')})`];
  });
  return parts.length === 0 ? 'Read only' : capitalise(parts.join('; '));
}

/** Returns the difference between the permissions when the form was opened and the chosen ones. */
export function changeOf(before: readonly string[], chosen: readonly string[]): PermissionChange {
  return {
    granted: chosen.filter((permission) => !before.includes(permission)),
    revoked: before.filter((permission) => !chosen.includes(permission)),
  };
}
