// Marks on the chart of calls at the times when the toggle was changed.
import type { Event } from '@/api/generated/types';
import { describeEvent } from '@/domain/events/describeEvent';
import { getEventEnvironment } from '@/domain/events/newerEvents';
import type { SegmentName } from '@/domain/strategies/useSegmentName';
import { PERIODS, type Period, type Range } from './periods';

/** One change, or several that would overlap. */
export interface ChangeMark {
  /** Position in the chart: 0 is its left edge, 1 its right edge. */
  at: number;
  /** Oldest first. */
  changes: readonly MarkedChange[];
}

interface MarkedChange {
  /** Id of the event. */
  id: number;
  /** Time in ms. */
  time: number;
  /** Author and change, such as `ada switched the toggle off`. */
  text: string;
}

interface Options {
  range: Range;
  locale: string;
  segmentName?: SegmentName;
  /** The environment of the chart; undefined on servers without environments. */
  environment: string | undefined;
  /** Maximum number of marks that fit. */
  max: number;
}

/** Returns the marks of the events within the periods, oldest first. */
export function toChangeMarks(events: readonly Event[], periods: readonly Period[], options: Options): ChangeMark[] {
  const { range, locale, segmentName, environment, max } = options;
  const start = periods[0]?.start ?? 0;
  const length = periods.length * PERIODS[range].ms;
  const isHere = (event: Event) => [undefined, environment].includes(getEventEnvironment(event));
  const changes = events
    .filter((event) => canChangeResults(event) && isHere(event))
    .map((event) => ({ event, time: Date.parse(event.createdAt) }))
    .filter(({ time }) => time >= start && time < start + length)
    .sort((a, b) => a.time - b.time || a.event.id - b.event.id)
    .map(({ event, time }) => ({
      id: event.id,
      time,
      text: `${event.createdBy} ${describeEvent(event, events, { locale, segmentName })}`,
    }));
  return groupNear(changes, length / max).map((group) => {
    const [first, last] = [group[0]?.time ?? start, group.at(-1)?.time ?? start];
    return { at: ((first + last) / 2 - start) / length, changes: group };
  });
}

/** Joins changes that are less than `distance` after the first of their group. */
function groupNear(changes: readonly MarkedChange[], distance: number): MarkedChange[][] {
  const groups: MarkedChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    if (group?.[0] && change.time - group[0].time < distance) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

/** Events that change no result of a toggle. */
const OTHER_TYPES = /^feature-(tagged|untagged|stale|metadata|completed|potentially)/u;

/** Fields of a toggle that determine its results. */
const RESULT_FIELDS: readonly unknown[] = ['enabled', 'strategies', 'variants', 'dependencies'];

/** Returns whether an event may have changed results. The differences of an update tell; other events have no usable ones. */
function canChangeResults({ type, diffs }: Event): boolean {
  if (OTHER_TYPES.test(type)) return false;
  return type !== 'feature-updated' || !diffs || diffs.some(({ path }) => RESULT_FIELDS.includes(path[0]));
}
