import { cachedUiConfig, productName } from '@/lib/uiConfigCache';
import { askToSignIn } from './authState';
import { ApiError, type Hop } from './error';
import { noteAnswer, noteOutage, outageHop } from './outage';
import { knownRepresentation, noteRepresentation } from './representations';

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
  /** Fills in fields that some servers leave out or send as null. Changes the parsed response. */
  normalise?(answer: Answer): void;
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
export const post = <Body = void, Answer = void>(
  path: string,
  policy: Pick<ReadPolicy<Answer>, 'normalise'> = {},
): Write<Body, Answer> => ({ path, method: 'POST', policy });
export const put = <Body = void, Answer = void>(path: string): Write<Body, Answer> => ({ path, method: 'PUT' });
export const del = <Answer = void>(path: string): Write<void, Answer> => ({ path, method: 'DELETE' });

interface Manners {
  /** A 401 is an answer to the caller's question, not a reason to ask for a sign-in. */
  keepsQuietOn401?: boolean;
}

export async function read<Answer>(endpoint: Endpoint<Answer>, manners: Manners = {}): Promise<Answer> {
  const { response, body } = await exchange('GET', endpoint.path, undefined, manners);
  // A page or nothing where data was promised, such as the sign-in page of something in between.
  if (typeof body !== 'object' || body === null) throw failure(response.status, hopOf(response), body);
  endpoint.policy?.normalise?.(body as Answer);
  return body as Answer;
}

/** Answers undefined where the server sent no JSON: empty bodies are normal on success. */
export async function write<Body, Answer>(
  call: Write<Body, Answer>,
  content?: Body,
  manners: Manners = {},
): Promise<Answer | undefined> {
  const { body } = await exchange(call.method, call.path, content, manners);
  if (typeof body !== 'object' || body === null) return undefined;
  call.policy?.normalise?.(body as Answer);
  return body as Answer;
}

interface Exchange {
  response: Response;
  /** Parsed JSON, or text. */
  body: unknown;
}

async function exchange(method: string, path: string, content: unknown, manners: Manners): Promise<Exchange> {
  const known = method === 'GET' ? knownRepresentation(path) : undefined;
  const response = await fetch(new URL(path, document.baseURI), {
    method,
    credentials: 'same-origin',
    headers: method === 'GET' ? readHeaders(known?.tag) : WRITE_HEADERS,
    ...(content === undefined ? {} : { body: JSON.stringify(content) }),
  }).catch((cause: unknown) => {
    const thrown = failure(0, 'network', cause, true);
    noteOutage('network', thrown.message);
    throw thrown;
  });
  const isUnchanged = known !== undefined && response.status === 304;
  const body = isUnchanged ? known.body : parse(await response.text().catch(() => ''));
  const isOutage = noteWay(path, response, body);
  if (isUnchanged) return { response, body };
  if (response.ok) {
    if (method === 'GET') noteRepresentation(path, response.headers.get('etag'), body);
    return { response, body };
  }
  if (response.status === 401 && !manners.keepsQuietOn401) askToSignIn(body);
  throw failure(response.status, hopOf(response), body, isOutage);
}

/** Asks for the body only if it is not the one that this tag names. */
function readHeaders(tag: string | undefined): HeadersInit {
  return { Accept: 'application/json', ...(tag !== undefined && { 'If-None-Match': tag }) };
}

/** Servers refuse writes of any other type, also those without a body. */
const WRITE_HEADERS = { Accept: 'application/json', 'Content-Type': 'application/json' };

/** Every answer tells how far the way goes at the moment: whether it ends before the flag service. */
function noteWay(path: string, response: Response, body: unknown): boolean {
  const code = response.headers.get(OWN_ERROR);
  const ends = outageHop(response.status, code, typeof body !== 'string');
  if (ends) noteOutage(ends, failure(response.status, hopOf(response), body).message);
  // What the binary refuses by itself tells nothing about the flag service behind it.
  else if (code === null) noteAnswer(path.startsWith('-/') ? 'binary' : 'service');
  return ends !== undefined;
}

/** Marks what the binary says by itself, and names it. */
const OWN_ERROR = 'x-flagdeck-error';

function hopOf(response: Response): Hop {
  return response.headers.has(OWN_ERROR) ? 'binary' : 'server';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function failure(status: number, hop: Hop, body: unknown, isOutage = false): ApiError {
  return new ApiError({ status, hop, body }, productName(cachedUiConfig()), isOutage);
}
