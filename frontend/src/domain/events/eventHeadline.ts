// The parts of one line that describe an event: a verb, the item, and short changes.
import type { Event } from '@/api/generated/types';
import { type ChangeChip, describeChips, describeStrategyChips } from '@/domain/changes/changeChips';
import type { ChangeOptions } from '@/domain/changes/describeChanges';
import { omitServerDiffs } from '@/domain/changes/serverFields';
import { describeDelivery, findActionPhrase } from './describeEvent';
import { formatEventTag, parseType, textOf } from './eventType';
import { getEventEnvironment, getStrategyChange } from './newerEvents';
import { findVersionBefore, getToggleVersion } from './toggleVersions';

export interface EventHeadline {
  /** Text between the author and the item, such as `switched`. */
  verb: string;
  /** The kind of item, such as `the toggle`; empty if the verb says it. */
  kind: string;
  /** Text after the item, such as `as stale`. */
  rest: string;
  /** The environment of the change, such as `in production`; empty if it applies to all. */
  place: string;
  /** The state to which the toggle was switched. */
  state?: 'on' | 'off';
  changes: readonly ChangeChip[];
}

type Parts = Partial<EventHeadline> & Pick<EventHeadline, 'verb'>;

/** Describes an event. `events` may contain the previous version. */
export function describeHeadline(event: Event, events: readonly Event[], options: ChangeOptions): EventHeadline {
  const kind = parseType(event.type)?.kind;
  const environment = getEventEnvironment(event);
  return {
    kind: kind === undefined ? '' : `the ${kind}`,
    rest: '',
    place: environment === undefined ? '' : `in ${environment}`,
    changes: [],
    ...nameOnlyField(describeParts(event, events, options)),
  };
}

/** Names the only changed field in the sentence, instead of beside it. */
function nameOnlyField(parts: Parts): Parts {
  const [chip, ...others] = parts.changes ?? [];
  const isField = chip !== undefined && Object.keys(chip).length === 1 && /^[a-z]+$/u.test(chip.label);
  if (parts.verb !== 'changed' || !isField || others.length > 0) return parts;
  return { ...parts, verb: `changed the ${chip.label} of`, changes: [] };
}

function describeParts(event: Event, events: readonly Event[], options: ChangeOptions): Parts {
  const { type, data, diffs } = event;
  const tag = formatEventTag(data ?? {});
  const strategyChange = getStrategyChange(event);
  if (strategyChange) {
    return { verb: 'changed', changes: describeStrategyChips(strategyChange.before, strategyChange.after, options) };
  }
  if (type === 'strategy-order-changed') return { verb: 'reordered the strategies of', kind: 'the toggle' };
  const { kind, action = '' } = parseType(type) ?? {};
  switch (action) {
    case 'tagged':
      return { verb: 'tagged', changes: [{ kind: 'added', label: tag }] };
    case 'untagged':
      return { verb: 'removed a tag from', changes: [{ kind: 'removed', label: tag }] };
    case 'environment-enabled':
      return { verb: 'switched', state: 'on' };
    case 'environment-disabled':
      return { verb: 'switched', state: 'off' };
    case 'environment-variants-updated':
      return { verb: 'changed the variants of' };
    case 'updated':
      return describeUpdate(event, events, options);
    case 'metadata-updated':
      return diffs && diffs.length > 0 ? describeUpdate(event, events, options) : { verb: 'changed the metadata of' };
    default:
      break;
  }
  if (kind === 'addon' && action.startsWith('deliver'))
    return { verb: describeDelivery(action, data ?? {}).replace(/ the addon$/u, '') };
  const parent = textOf(data?.['feature']);
  const changes: ChangeChip[] = action.startsWith('dependency-') && parent ? [{ label: parent }] : [];
  const [verb = '', rest = ''] = findActionPhrase(action)?.split(' the {}') ?? [];
  return verb === '' ? { verb: type.replaceAll('-', ' ') } : { verb, rest: rest.trim(), changes };
}

/** Number of fields whose names are shown. */
const MAX_FIELDS = 3;

function describeUpdate(event: Event, events: readonly Event[], options: ChangeOptions): Parts {
  const after = getToggleVersion(event);
  const before = after && findVersionBefore(event, events);
  if (!before) {
    const fields = [...new Set(omitServerDiffs(event.diffs ?? []).map(({ path: [field] }) => String(field)))];
    const isUnchanged = event.diffs && fields.length === 0;
    const changes = fields.length > MAX_FIELDS ? [{ label: `${fields.length} fields` }] : fields.map(toChip);
    return isUnchanged ? { verb: 'saved', rest: 'without changes' } : { verb: 'changed', changes };
  }
  const describe = (...described: string[]) => ({ changes: describeChips(before, after, described, options) });
  if (before.enabled !== after.enabled) {
    return { verb: 'switched', state: after.enabled ? 'on' : 'off', ...describe('enabled') };
  }
  if ((before.stale ?? false) !== (after.stale ?? false)) {
    return { verb: 'marked', rest: `as ${after.stale ? 'stale' : 'active'}`, ...describe('stale') };
  }
  if (before.project !== after.project) {
    return { verb: 'moved', rest: `to the project ${after.project}`, ...describe('project') };
  }
  const { changes } = describe();
  return changes.length > 0 ? { verb: 'changed', changes } : { verb: 'saved', rest: 'without changes' };
}

const toChip = (label: string): ChangeChip => ({ label });
