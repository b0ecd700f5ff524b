import { onUserReset, userSignal } from '@/lib/store';
import { baseUrl } from '@/lib/urls';
import { askToSignIn, countAction, untilSignedIn } from './authState';
import {
  chooseEnvironment,
  describeUnsent,
  ENVIRONMENT_HEADER,
  offeredEnvironments,
  selectedEnvironment,
} from './environment';
import { ApiError, type Hop } from './error';
import { noteOutage, noteResponse, outageHop } from './outage';
import { cachedRepresentation, noteTag, type Representation, storeRepresentation } from './representations';
import { nextSequence } from './sequence';
import { cachedUiConfig, productName } from './uiConfigCache';

/** A GET request. Its path is also the cache key. */
export interface Endpoint<Data> {
  readonly path: string;
  /** Never set; carries the type. */
  readonly data?: Data;
  readonly policy?: ReadPolicy<Data>;
}

/** How reads of an endpoint behave, whichever component starts the request. */
export interface ReadPolicy<Data> {
  /** Interval in ms for components that poll. A 401 then opens no sign-in dialog, and failures are always retried. */
  readonly pollMs?: number;
  /** What failed, shown before the error in notices: `The strategies could not be loaded`. */
  readonly failureText?: string;
  /** The entity tag does not cover the whole response, so that reads send no `If-None-Match`. */
  readonly hasPartialTag?: boolean;
  /** Some servers lack the endpoint: 404 and 410 are neither reported nor retried. */
  readonly mayBeAbsent?: boolean;
  /** Fills in fields that some servers leave out or send as null. Changes the parsed response. */
  normalise?(data: Data): void;
}

/** A POST, PUT or DELETE request. */
export interface Write<Body, Data> extends Endpoint<Data> {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** Never set; carries the type. */
  readonly body?: Body;
}

export const get = <Data>(path: string, policy: ReadPolicy<Data> = {}): Endpoint<Data> => ({ path, policy });
export const post = <Body = void, Data = void>(
  path: string,
  policy: Pick<ReadPolicy<Data>, 'normalise'> = {},
): Write<Body, Data> => ({ path, method: 'POST', policy });
export const put = <Body = void, Data = void>(
  path: string,
  policy: Pick<ReadPolicy<Data>, 'normalise'> = {},
): Write<Body, Data> => ({ path, method: 'PUT', policy });
export const del = <Data = void>(path: string): Write<void, Data> => ({ path, method: 'DELETE' });

export interface RequestOptions {
  /** The caller handles a 401 itself: the sign-in dialog does not open. */
  skipSignInPrompt?: boolean;
  /**
   * The request is part of an action of the user, as every write is. After a 401, it is sent again when the same user has signed
   * in, so that the action continues.
   */
  isAction?: boolean;
  /** Strong entity tag of the representation that a write is based on: the server refuses to replace another one (412). */
  ifMatch?: string | undefined;
  /** Aborts the request, which then fails with an `AbortError`. */
  signal?: AbortSignal | undefined;
  /** The write applies the files that manage the toggle, which therefore do not undo it. */
  appliesFiles?: boolean | undefined;
}

export async function read<Data>(endpoint: Endpoint<Data>, options: RequestOptions = {}): Promise<Data> {
  const startedAt = nextSequence();
  const user = userSignal();
  const known = endpoint.policy?.hasPartialTag ? undefined : cachedRepresentation(endpoint.path);
  const { response, body } = await exchange('GET', endpoint.path, undefined, options, known);
  // Text instead of JSON is a failure even with status 200, such as the sign-in page of a proxy in front.
  if (typeof body !== 'object' || body === null) throw toApiError(response.status, hopFrom(response), body);
  endpoint.policy?.normalise?.(body as Data);
  if (!user.aborted) {
    for (const listener of readListeners) listener(endpoint.path, body, startedAt);
    // After the listeners, which clear the data of the user before.
    if (endpoint.path === USER) shownUser = response.headers.get(USER_HEADER);
  }
  return body as Data;
}

/** Path of the signed-in user. */
export const USER = 'api/admin/user';

/**
 * Names the user of the browser's session, which all tabs share. The server refuses a write for another user
 * (`src/middleware/signed_in_user.rs`).
 */
const USER_HEADER = 'flagdeck-user';

/** The name in the response that has described the user on the page; null without one. */
let shownUser: string | null = null;
onUserReset(() => (shownUser = null));

/** Reads the user. If it is another one, the listeners clear the data of the page, which aborts the signal of the user before. */
const checkUser = (options: RequestOptions) => read({ path: USER }, options);

type ReadListener = (path: string, body: object, startedAt: number) => void;

const readListeners = new Set<ReadListener>();

/**
 * Calls the listener with the body of each read of an endpoint, or of the endpoints whose path matches, and the start of
 * the read in the order of events. A read that started before another user signed in is not applied.
 */
export function onRead<Data extends object>(
  endpoint: Endpoint<Data> | RegExp,
  listener: (data: Data, startedAt: number, path: string) => void,
): void {
  readListeners.add((path, body, startedAt) => {
    const isMatch = endpoint instanceof RegExp ? endpoint.test(path) : endpoint.path === path;
    if (isMatch) listener(body as Data, startedAt, path);
  });
}

/** Returns undefined if the response has no JSON body, which is normal for a successful write. */
export async function write<Body, Data>(
  call: Write<Body, Data>,
  content?: Body,
  options: RequestOptions = {},
): Promise<Data | undefined> {
  const { body } = await exchange(call.method, call.path, content, options);
  if (typeof body !== 'object' || body === null) return undefined;
  call.policy?.normalise?.(body as Data);
  return body as Data;
}

interface Exchange {
  response: Response;
  /** Parsed JSON, or text. */
  body: unknown;
}

function exchange(
  method: string,
  path: string,
  content: unknown,
  options: RequestOptions,
  known?: Representation,
): Promise<Exchange> {
  const isAction = (options.isAction ?? isWrite(method, path)) && !options.skipSignInPrompt;
  const environment = environmentFor(path);
  const request = () => exchangeOnce(method, path, content, { ...options, isAction }, environment, known);
  return isAction ? countAction(request) : request();
}

async function exchangeOnce(
  method: string,
  path: string,
  content: unknown,
  options: RequestOptions,
  environment: string | undefined,
  known?: Representation,
  isRepeated = false,
): Promise<Exchange> {
  const user = userSignal();
  const shown = shownUser;
  const init = {
    method,
    credentials: 'same-origin' as const,
    headers: {
      ...(method === 'GET' ? conditionalHeaders(known?.tag) : writeHeaders(options)),
      ...(environment !== undefined && { [ENVIRONMENT_HEADER]: encodeURIComponent(environment) }),
    },
    ...(content === undefined ? {} : { body: content instanceof Blob ? content : JSON.stringify(content) }),
  };
  const seconds = secondsUntilDeadline(method, path, content);
  const exchanged = withDeadline(seconds, options.signal, async (signal) => {
    const response = await (takeEarlyResponse(method, path) ?? fetch(new URL(path, baseUrl), { ...init, signal }));
    const text = await response.text().catch(() => {
      throw signal.aborted ? signal.reason : new LostResponseError();
    });
    return { response, text };
  });
  const { response, text } = await exchanged.catch((cause: unknown) => {
    options.signal?.throwIfAborted();
    const details = { isWrite: isWrite(method, path) };
    if (cause instanceof DeadlineError) throw toApiError(0, 'timeout', { ...details, seconds });
    if (cause instanceof LostResponseError) throw toApiError(0, 'network', details);
    const thrown = toApiError(0, 'network', undefined, true);
    noteOutage('network', thrown.message);
    throw thrown;
  });
  const isUnchanged = known !== undefined && response.status === 304;
  const body = isUnchanged ? known.body : parseBody(text);
  const isOutage = noteReachability(path, response, body);
  // The server compares before everything else: another user's 409 is never about a conflict of the data.
  const isForOther = shown && path !== USER && (response.headers.get(USER_HEADER) ?? shown) !== shown;
  if (isForOther && response.status !== 409) void checkUser({ skipSignInPrompt: true }).catch(() => undefined);
  if (isUnchanged) return { response, body };
  if (response.ok) {
    const tag = response.headers.get('etag');
    if (method !== 'GET') noteTag(tag, body);
    else if (!user.aborted) storeRepresentation(path, tag, body);
    return { response, body };
  }
  const failure = toApiError(response.status, hopFrom(response), body, isOutage);
  // The next user must not answer a question about this request, or send it again.
  if (user.aborted) throw failure;
  if (isForOther && response.status === 409 && !isRepeated) {
    await checkUser(options);
    if (user.aborted) throw failure;
    return exchangeOnce(method, path, content, options, environment, known, true);
  }
  const offered = offeredEnvironments(response.status, body);
  const isChosen = offered && chooseEnvironment(offered, environment);
  // A write is for the environment that was shown when it began, and never for one that is chosen later.
  if (isChosen && isWrite(method, path))
    throw toApiError(response.status, 'binary', { message: describeUnsent(environment) });
  if ((await isChosen) && !user.aborted)
    return exchangeOnce(method, path, content, options, environmentFor(path), known);
  if (response.status !== 401 || options.skipSignInPrompt) throw failure;
  askToSignIn(body);
  if (!options.isAction) throw failure;
  await untilSignedIn(user, options.signal);
  options.signal?.throwIfAborted();
  if (user.aborted) throw failure;
  return exchangeOnce(method, path, content, options, environment, known);
}

const EVALUATE = '-/evaluate';

/** The environment that the page shows, for requests to the flag service. */
function environmentFor(path: string): string | undefined {
  return path.startsWith('api/') ? selectedEnvironment() : undefined;
}

function isWrite(method: string, path: string): boolean {
  return method !== 'GET' && path !== EVALUATE;
}

/**
 * Time for a request and its response. Flagdeck gives up earlier and then says which hop failed: by default after 5 s for a
 * connection of the pool, 5 s to connect, 30 s for the body of the request and 30 s for the head of the response.
 */
function secondsUntilDeadline(method: string, path: string, content: unknown): number {
  if (content instanceof Blob) return 300;
  if (path === EVALUATE) return 120;
  return method === 'GET' ? 60 : 90;
}

class DeadlineError extends Error {}
/** The connection was lost after the head of the response. */
class LostResponseError extends Error {}

/** Runs `act` until the deadline or the abort of `outer`, whether or not it observes its signal. */
async function withDeadline<Result>(
  seconds: number,
  outer: AbortSignal | undefined,
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort(outer?.reason);
  outer?.addEventListener('abort', abort);
  const timer = setTimeout(() => controller.abort(new DeadlineError()), seconds * 1000);
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([act(signal), ended]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', abort);
  }
}

/** Returns the response to the request for the list of toggles that `start.js` has sent with the environment of the URL. */
function takeEarlyResponse(method: string, path: string): Promise<Response> | undefined {
  if (method !== 'GET' || path !== 'api/admin/features') return undefined;
  const { earlyList } = globalThis;
  globalThis.earlyList = undefined;
  return earlyList;
}

declare global {
  var earlyList: Promise<Response> | undefined;
}

/** Headers of a conditional GET request: the server sends 304 if its entity tag is still `tag`. */
function conditionalHeaders(tag: string | undefined) {
  return { Accept: 'application/json', ...(tag !== undefined && { 'If-None-Match': tag }) };
}

/** Servers reject writes without the JSON content type, even without a body. */
function writeHeaders({ ifMatch }: RequestOptions) {
  return {
    Accept: 'application/json',
    'Content-Type': 'application/json',
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    ...(shownUser && { [USER_HEADER]: shownUser }),
  };
}

/** Updates the outage state from a response. Returns true if the response shows an outage. */
function noteReachability(path: string, response: Response, body: unknown): boolean {
  const code = response.headers.get(OWN_ERROR_HEADER);
  const failedHop = outageHop(response.status, code, typeof body !== 'string');
  if (failedHop) noteOutage(failedHop, toApiError(response.status, hopFrom(response), body).message);
  // A request that Flagdeck itself rejects did not reach the flag service.
  else if (code === null) noteResponse(path.startsWith('-/') ? 'binary' : 'service');
  return failedHop !== undefined;
}

/** Marks responses that Flagdeck itself generated; the value is the error code. */
const OWN_ERROR_HEADER = 'x-flagdeck-error';

function hopFrom(response: Response): Hop {
  return response.headers.has(OWN_ERROR_HEADER) ? 'binary' : 'server';
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function toApiError(status: number, hop: Hop, body: unknown, isOutage = false): ApiError {
  return new ApiError({ status, hop, body }, productName(cachedUiConfig()), isOutage);
}
