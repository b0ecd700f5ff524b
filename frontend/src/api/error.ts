import type { ErrorBody } from './generated/types';

/** Where a request failed: on the network, by the deadline of the console, in the Flagdeck binary, or in the flag service. */
export type Hop = 'network' | 'timeout' | 'binary' | 'server';

interface Failure {
  /** 0 if there was no response. */
  status: number;
  hop: Hop;
  /** The parsed JSON, or the text if it is not JSON. Without a complete response, details for the message. */
  body: unknown;
}

/** A failed request. `message` is the text that is shown in place. */
export class ApiError extends Error {
  readonly status: number;
  readonly hop: Hop;
  readonly body: unknown;
  /** True if the flag service could not be reached: the outage banner then shows the reason. */
  readonly isOutage: boolean;
  /** The text for the global list of notices. */
  readonly noticeText: string;
  /** The server's own message, shown below `message`. */
  readonly detail: string | undefined;

  constructor(failure: Failure, product: string, isOutage = false) {
    const text = describeError(failure, product);
    super(text.message);
    this.name = 'ApiError';
    this.status = failure.status;
    this.hop = failure.hop;
    this.body = failure.body;
    this.isOutage = isOutage;
    this.noticeText = text.noticeText;
    this.detail = text.detail;
  }
}

/** True for 404 and 410. For the list of an entity it means that the server's version does not have the endpoint. */
export function isNotFound({ status }: Pick<ApiError, 'status'>): boolean {
  return status === 404 || status === 410;
}

/** True for network failures and server errors, which may be over at the next attempt. Refusals (4xx) are final. */
export function isTemporary({ status }: Pick<ApiError, 'status'>): boolean {
  return status === 0 || status >= 500;
}

interface ErrorText {
  message: string;
  noticeText: string;
  detail?: string | undefined;
}

/** Returns the texts for a failed request. */
export function describeError(failure: Failure, product: string): ErrorText {
  const { status, hop, body } = failure;
  if (hop === 'network' && body !== undefined) {
    return sameText(`The connection to ${product} was lost. ${adviceAfterLoss(body)}`);
  }
  if (hop === 'network') {
    return sameText(`${product} cannot be reached. Check your connection and that it is running, then try again.`);
  }
  if (hop === 'timeout') return sameText(describeTimeout(product, body));
  if (status === 401) return sameText('Authentication required');
  if (status === 404) return sameText('The requested resource could not be found but may be available in the future');
  const unexpected = `Unexpected exception when talking to the ${product} API (status ${status})`;
  if (hop === 'binary') return sameText(fieldText(body, 'message') ?? unexpected);
  if (status === 403) {
    const detail = fieldText(body, 'message');
    return { message: 'You cannot perform this action', noticeText: detail ?? '403 Forbidden', detail };
  }
  if (status >= 400 && status <= 499) return sameText(serverMessage(body) ?? unexpected);
  return sameText(unexpected);
}

function describeTimeout(product: string, body: unknown): string {
  const { seconds } = Object(body) as { seconds?: number };
  return `${product} did not respond within ${seconds} seconds. ${adviceAfterLoss(body)}`;
}

/** A write may have been stored, because only its response is missing. */
function adviceAfterLoss(body: unknown): string {
  const { isWrite } = Object(body) as { isWrite?: boolean };
  return isWrite
    ? 'The change may have been stored: check the current state, then try again.'
    : 'Check your connection, then try again.';
}

function sameText(message: string): ErrorText {
  return { message, noticeText: message };
}

/** Returns the first message of an error body, in any of the formats that servers use. */
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

export function fieldText(value: unknown, field: 'message' | 'msg' | 'code'): string | undefined {
  return isObject(value) ? asText(value[field]) : undefined;
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
