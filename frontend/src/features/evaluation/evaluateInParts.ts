import { ApiError } from '@/api/error';
import type { ContextResult, EvaluateResponse, Toggle } from '@/api/generated/types';

/** Results of toggles for one context by name, or the error of a toggle that is above a limit of the server. */
export type ToggleResults = ReadonlyMap<string, ContextResult | ApiError>;

/** Toggles of one request: below all limits for usual toggles, and quick to serialise. */
const PART = 250;

type Send = (toggles: readonly Toggle[]) => Promise<EvaluateResponse | undefined>;

/** Evaluates toggles with several requests. A request above a limit of the server is divided. */
export async function evaluateInParts(toggles: readonly Toggle[], send: Send): Promise<ToggleResults> {
  const results = new Map<string, ContextResult | ApiError>();
  for (let first = 0; first < toggles.length; first += PART) {
    await evaluatePart(toggles.slice(first, first + PART), send, results);
  }
  return results;
}

async function evaluatePart(
  part: readonly Toggle[],
  send: Send,
  results: Map<string, ContextResult | ApiError>,
): Promise<void> {
  try {
    const response = await send(part);
    for (const { name, saved } of response?.toggles ?? []) {
      const [result] = saved.contexts ?? [];
      if (result) results.set(name, result);
    }
  } catch (failure) {
    // 413: too much work, or a body that is too large.
    if (!(failure instanceof ApiError) || failure.status !== 413) throw failure;
    const [first] = part;
    if (part.length === 1 && first) {
      results.set(first.name, failure);
      return;
    }
    const middle = Math.ceil(part.length / 2);
    await evaluatePart(part.slice(0, middle), send, results);
    await evaluatePart(part.slice(middle), send, results);
  }
}
