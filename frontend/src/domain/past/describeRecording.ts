// Words for recorded times. A change has no instant: it was made after one time, and SDKs got it at another one.
import type { ApiError } from '@/api/error';
import type { Gap, GapReason, Interval, PastHold, RecorderStatus } from '@/api/generated/types';
import { formatMoment } from '@/api/pastView';
import { cacheByLocale } from '@/lib/format';

const GAP_REASONS: { readonly [reason in GapReason]: string } = {
  notRunning: 'Flagdeck did not run',
  notWritten: 'the recorder could not write',
  clockSet: 'the clock was set',
  handedOver: 'another instance, or this one after a restart, took over the recording',
  tooLarge: 'the records were removed, because all of them were too large',
  notConfirmed: 'there is no later record',
  refused: 'the flag service refused the token',
  notRequested: 'no SDK had requested toggles yet',
};

/** Describes a time without records, such as `No records from 13:00 to 13:20: Flagdeck did not run.` */
export function describeGap({ from, to, reason }: Gap, locale: string): string {
  const time = to === null ? `since ${formatMoment(from, locale)}` : `from ${formatPeriod([from, to], ' to ', locale)}`;
  return `No records ${time}: ${GAP_REASONS[reason]}.`;
}

/** Describes the interval of a change, as the end of a sentence. */
export function describeInterval({ after, by }: Interval, locale: string): string {
  if (after === null) return `made at an unknown time; SDKs here got it from ${formatMoment(by, locale)} on`;
  return `made after ${formatPeriod([after, by], '; SDKs here got it from ', locale)} on`;
}

/** Describes a hold, whose toggle SDKs did not get as the flag service had it. */
export function describePastHold(hold: PastHold, locale: string): string {
  const { environment, start, end, person, reason } = hold;
  const where = environment === null ? '' : ` of ${environment}`;
  const time = `from ${formatPeriod([start, end], ' until ', locale)}`;
  return `Held for SDKs${where} ${time} by ${person}: ${reason}`;
}

/** Seconds matter only in a shorter period. */
const MINUTES_MS = 120_000;

const precise = formats('medium');
const rounded = formats('short');

function formats(timeStyle: 'medium' | 'short') {
  return {
    moment: cacheByLocale((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle })),
    clock: cacheByLocale((locale) => new Intl.DateTimeFormat(locale, { timeStyle })),
  };
}

/** Formats both ends of a period. The later one has no day if it is on the same day. */
function formatPeriod([start, end]: readonly [string, string], separator: string, locale: string): string {
  const [from, to] = [new Date(start), new Date(end)];
  const { moment, clock } = to.getTime() - from.getTime() < MINUTES_MS ? precise : rounded;
  const later = from.toDateString() === to.toDateString() ? clock : moment;
  return `${moment(locale).format(from)}${separator}${later(locale).format(to)}`;
}

export interface RecordingFailure {
  title: string;
  message: string;
  /** The end of the outage or a retry can change the result. */
  canRetry: boolean;
}

const TITLES: { readonly [code: string]: string } = {
  no_recorder: 'Earlier states are not recorded',
  nothing_recorded: 'Nothing is recorded yet',
  before_first_record: 'The records begin later',
  time_in_future: 'This time is in the future',
  times_swapped: 'The start is after the end',
  records_removed: 'The records of this time were removed',
  token_refused_then: 'SDKs got no toggles at this time',
  scope_needed: 'Select a token',
  unknown_scope: 'This token has no records',
};

/** A time in the message of the server. */
const MOMENT = /\d{4}-\d\d-\d\dT[\d:.]+Z/gu;

/** Describes why nothing can be shown. The message of the server names the remedy, with times of this browser. */
export function describeFailure({ body, status, message }: ApiError, locale: string): RecordingFailure {
  const { code = '', message: own } = Object(body) as { code?: string; message?: string };
  const known = TITLES[code];
  return {
    title: known ?? (status === 403 ? 'You cannot read the records' : 'The records could not be read'),
    message: (known ? toSentence(own ?? message) : message).replaceAll(MOMENT, (moment) =>
      formatMoment(moment, locale),
    ),
    canRetry: known === undefined && status !== 403,
  };
}

/** Messages of the server have no full stop. */
function toSentence(message: string): string {
  return message.endsWith('.') ? message : `${message}.`;
}

/** Time until a replica usually has a change of the flag service. The embedded service records its own within a second. */
const ARRIVAL_MS = { embedded: 1_000, upstream: 30_000 };

/** Returns the time from which SDKs got a change that was stored at `createdAt`; undefined if it has no record. */
export function findTimeAfter(
  createdAt: string,
  { firstRecord }: Pick<RecorderStatus, 'firstRecord'>,
  { mode, now }: { mode: keyof typeof ARRIVAL_MS; now: number },
): string | undefined {
  const stored = Date.parse(createdAt);
  if (Number.isNaN(stored) || firstRecord === null || stored < Date.parse(firstRecord)) return undefined;
  const at = stored + ARRIVAL_MS[mode];
  return at <= now ? new Date(at).toISOString() : undefined;
}

/** Returns the time just before SDKs got a change. */
export function justBefore({ by }: Interval): string {
  return new Date(Date.parse(by) - 1).toISOString();
}
