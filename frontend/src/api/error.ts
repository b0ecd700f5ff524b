import type { ErrorBody } from './generated/types';

/** Where a call failed: before any answer, in the binary that serves the console, or in the flag service. */
export type Hop = 'network' | 'binary' | 'server';

interface Failure {
  /** 0 when there was no answer at all. */
  status: number;
  hop: Hop;
  /** The parsed JSON, or the text where it was none. */
  body: unknown;
}

export class ApiError extends Error {
  readonly status: number;
  readonly hop: Hop;
  readonly body: unknown;
  /** Whether nobody answered who could: the page says so above everything. */
  readonly isOutage: boolean;
  /** What the global error list says; where the failure is shown in place, `message` stands. */
  readonly noticeText: string;
  /** What the server said beyond `message`; shown below it. */
  readonly detail: string | undefined;

  constructor(failure: Failure, product: string, isOutage = false) {
    const words = describeError(failure, product);
    super(words.message);
    this.name = 'ApiError';
    this.status = failure.status;
    this.hop = failure.hop;
    this.body = failure.body;
    this.isOutage = isOutage;
    this.noticeText = words.listed;
    this.detail = words.detail;
  }
}

/** Whether the server has no such call or thing: for a whole list that means that it is too new or too old for it. */
export function isNotFound({ status }: Pick<ApiError, 'status'>): boolean {
  return status === 404 || status === 410;
}

interface Words {
  message: string;
  listed: string;
  detail?: string | undefined;
}

/** Every way a call can fail, in words. */
export function describeError(failure: Failure, product: string): Words {
  const { status, hop, body } = failure;
  if (hop === 'network') {
    return sameText(`${product} cannot be reached. Check your connection and that it is running, then try again.`);
  }
  if (status === 401) return sameText('Authentication required');
  if (status === 404) return sameText('The requested resource could not be found but may be available in the future');
  const unexpected = `Unexpected exception when talking to the ${product} API (status ${status})`;
  if (hop === 'binary') return sameText(fieldText(body, 'message') ?? unexpected);
  if (status === 403) {
    const detail = fieldText(body, 'message');
    return { message: 'You cannot perform this action', listed: detail ?? '403 Forbidden', detail };
  }
  if (status >= 400 && status <= 499) return sameText(serverMessage(body) ?? unexpected);
  return sameText(unexpected);
}

function sameText(message: string): Words {
  return { message, listed: message };
}

/** The first message in any of the shapes that servers send. */
function serverMessage(body: unknown): string | undefined {
  if (Array.isArray(body)) return fieldText(body[0], 'msg') ?? fieldText(body[0], 'message');
  if (!isObject(body)) return undefined;
  const { details, errors, error }: { [key in keyof ErrorBody]: unknown } = body;
  return (
    firstMessage(details) ??
    firstMessage(errors) ??
    fieldText(body, 'message') ??
    asText(error) ??
    fieldText(error, 'message')
  );
}

function firstMessage(list: unknown): string | undefined {
  return Array.isArray(list) ? (fieldText(list[0], 'message') ?? fieldText(list[0], 'msg')) : undefined;
}

function fieldText(value: unknown, field: 'message' | 'msg'): string | undefined {
  return isObject(value) ? asText(value[field]) : undefined;
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
