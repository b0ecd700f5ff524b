// The schedule of a rule: constraints that compare the current time with the start and with the end. Client libraries evaluate
// them, so that a schedule needs no job on a server and works during outages. Pure functions.
import type { Constraint } from '@/api/generated/types';
import { clockNow } from '@/lib/clock';
import { getClockOptions, LANGUAGE } from '@/lib/format';

/** Times in RFC 3339, in UTC where the console writes them; at least one is present, except in an empty schedule. */
export interface Schedule {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}

const ENDS = ['from', 'until'] as const;
type End = (typeof ENDS)[number];

/** Context field that client libraries fill with their time. */
export const CURRENT_TIME = 'currentTime';

const OPERATORS: { readonly [end in End]: string } = { from: 'DATE_AFTER', until: 'DATE_BEFORE' };

/** Operator that a server must have for schedules. It came together with the other one. */
export const SCHEDULE_OPERATOR = OPERATORS.from;

/** Client libraries read a time without a time zone differently. */
export function isTime(text: string): boolean {
  return /T.*(Z|[+-]\d\d:?\d\d)$/iu.test(text) && !Number.isNaN(Date.parse(text));
}

/** Returns which end of a schedule the constraint is; undefined if it is another constraint, or has options of its own. */
export function getScheduleEnd(constraint: Constraint): End | undefined {
  const { contextName, operator, value, values, inverted, caseInsensitive, ...others }: Constraint = constraint;
  const isPlain = !inverted && !caseInsensitive && !values?.length && Object.keys(others).length === 0;
  if (contextName !== CURRENT_TIME || !isPlain || typeof value !== 'string' || !isTime(value)) return undefined;
  return ENDS.find((end) => OPERATORS[end] === operator);
}

/** Returns the indexes of the constraints that are the schedule: the first one of each end. */
export function findSchedule(constraints: readonly Constraint[]): { readonly [end in End]?: number } {
  const found = ENDS.map((end) => [end, constraints.findIndex((one) => getScheduleEnd(one) === end)] as const);
  return Object.fromEntries(found.filter(([, index]) => index >= 0));
}

export function getSchedule(constraints: readonly Constraint[]): Schedule {
  const { from = -1, until = -1 } = findSchedule(constraints);
  return { from: constraints[from]?.value ?? undefined, until: constraints[until]?.value ?? undefined };
}

/** Returns the constraints with another schedule; an empty one removes it. Other constraints stay the same objects. */
export function setSchedule(constraints: readonly Constraint[], schedule: Schedule): Constraint[] {
  const found = findSchedule(constraints);
  const kept = constraints.flatMap((constraint, index) => {
    const end = ENDS.find((one) => found[one] === index);
    const value = end && schedule[end];
    if (end === undefined || value === constraint.value) return [constraint];
    return value === undefined ? [] : [{ ...constraint, value }];
  });
  const added = ENDS.flatMap((end) => {
    const value = schedule[end];
    if (value === undefined || found[end] !== undefined) return [];
    return [{ contextName: CURRENT_TIME, operator: OPERATORS[end], values: [], value }];
  });
  return [...kept, ...added];
}

/** Returns why a schedule cannot be used. */
export function validateSchedule({ from, until }: Schedule): string | undefined {
  if (from === undefined || until === undefined || Date.parse(until) > Date.parse(from)) return undefined;
  return 'Enter an end after the start. Nobody would get the feature.';
}

interface Options {
  locale?: string | undefined;
  now?: number;
}

/** Describes a schedule in the time zone of the browser, such as `from Dec 1, 9:00 AM until Dec 24`. */
export function describeSchedule({ from, until }: Schedule, options: Options = {}): string {
  const { now = clockNow() } = options;
  const start = from === undefined ? [] : [`from ${formatTime(from, options)}`];
  const end = until === undefined ? [] : [`until ${formatTime(until, options)}`];
  const hasEnded = until !== undefined && Date.parse(until) <= now;
  return [...start, ...end, ...(hasEnded ? ['(ended)'] : [])].join(' ');
}

/** Formats a time without what is obvious: the year of now, and midnight. */
function formatTime(time: string, { locale = LANGUAGE, now = clockNow() }: Options): string {
  const at = new Date(time);
  const isThisYear = at.getFullYear() === new Date(now).getFullYear();
  const isMidnight = at.getHours() === 0 && at.getMinutes() === 0;
  return new Intl.DateTimeFormat(locale, {
    month: 'short',
    day: 'numeric',
    ...(!isThisYear && { year: 'numeric' }),
    ...(!isMidnight && getClockOptions(locale)),
  }).format(at);
}
