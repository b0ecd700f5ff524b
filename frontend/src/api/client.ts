import { cachedUiConfig, productName } from '@/lib/uiConfigCache';
import { askToSignIn } from './authState';
import { ApiError, type Hop } from './error';
import { noteOutage, noteResponse, outageHop } from './outage';
import { cachedRepresentation, storeRepresentation } from './representations';

/** A call that reads. The path is the cache key as well. */
export interface Endpoint<Answer> {
  readonly path: string;
  /** Never set: carries the type. */
  readonly answer?: Answer;
  readonly policy?: ReadPolicy<Answer>;
}

/** How reads of an endpoint behave, whichever component starts the request. */
export interface ReadPolicy<Answer> {
  /** Interval in ms for components that poll. A 401 then opens no sign-in dialog, and failures are always retried. */
  readonly pollMs?: number;
  /** Shows failures in the snackbar, after this text if there is one. Default: false, because pages show them in place. */
  readonly announce?: boolean | string;
  /** Some servers lack the endpoint: 404 and 410 are neither reported nor retried. */
  readonly mayBeAbsent?: boolean;
  /** Receives each response. */
  onData?(answer: Answer): void;
}

/** A call that writes. */
export interface Write<Body, Answer> extends Endpoint<Answer> {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** Never set: carries the type. */
  readonly body?: Body;
}

export const get = <Answer>(path: string, policy: ReadPolicy<Answer> = {}): Endpoint<Answer> => ({ path, policy });
export const post = <Body = void, Answer = void>(path: string): Write<Body, Answer> => ({ path, method: 'POST' });
export const put = <Body = void, Answer = void>(path: string): Write<Body, Answer> => ({ path, method: 'PUT' });
export const del = <Answer = void>(path: string): Write<void, Answer> => ({ path, method: 'DELETE' });

interface RequestOptions {
  /** A 401 is an answer to the caller's question, not a reason to ask for a sign-in. */
  skipSignInPrompt?: boolean;
}

export async function read<Answer>(endpoint: Endpoint<Answer>, manners: RequestOptions = {}): Promise<Answer> {
  const { response, body } = await exchange('GET', endpoint.path, undefined, manners);
  // A page or nothing where data was promised, such as the sign-in page of something in between.
  if (typeof body === 'string') throw toApiError(response.status, hopFrom(response), body);
  return body as Answer;
}

/** Answers undefined where the server sent no JSON: empty bodies are normal on success. */
export async function write<Body, Answer>(
  call: Write<Body, Answer>,
  content?: Body,
  manners: RequestOptions = {},
): Promise<Answer | undefined> {
  const { body } = await exchange(call.method, call.path, content, manners);
  return typeof body === 'string' ? undefined : (body as Answer);
}

interface Exchange {
  response: Response;
  /** Parsed JSON, or text. */
  body: unknown;
}

async function exchange(method: string, path: string, content: unknown, manners: RequestOptions): Promise<Exchange> {
  const known = method === 'GET' ? cachedRepresentation(path) : undefined;
  const response = await fetch(new URL(path, document.baseURI), {
    method,
    credentials: 'same-origin',
    headers: method === 'GET' ? conditionalHeaders(known?.tag) : WRITE_HEADERS,
    ...(content === undefined ? {} : { body: JSON.stringify(content) }),
  }).catch((cause: unknown) => {
    const thrown = toApiError(0, 'network', cause, true);
    noteOutage('network', thrown.message);
    throw thrown;
  });
  const isUnchanged = known !== undefined && response.status === 304;
  const body = isUnchanged ? known.body : parseBody(await response.text().catch(() => ''));
  const isOutage = noteReachability(path, response, body);
  if (isUnchanged) return { response, body };
  if (response.ok) {
    if (method === 'GET') storeRepresentation(path, response.headers.get('etag'), body);
    return { response, body };
  }
  if (response.status === 401 && !manners.skipSignInPrompt) askToSignIn(body);
  throw toApiError(response.status, hopFrom(response), body, isOutage);
}

/** Asks for the body only if it is not the one that this tag names. */
function conditionalHeaders(tag: string | undefined): HeadersInit {
  return { Accept: 'application/json', ...(tag !== undefined && { 'If-None-Match': tag }) };
}

/** Servers refuse writes of any other type, also those without a body. */
const WRITE_HEADERS = { Accept: 'application/json', 'Content-Type': 'application/json' };

/** Every answer tells how far the way goes at the moment: whether it ends before the flag service. */
function noteReachability(path: string, response: Response, body: unknown): boolean {
  const code = response.headers.get(OWN_ERROR_HEADER);
  const ends = outageHop(response.status, code, typeof body !== 'string');
  if (ends) noteOutage(ends, toApiError(response.status, hopFrom(response), body).message);
  // What the binary refuses by itself tells nothing about the flag service behind it.
  else if (code === null) noteResponse(path.startsWith('-/') ? 'binary' : 'service');
  return ends !== undefined;
}

/** Marks what the binary says by itself, and names it. */
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
