// The contexts that the lab evaluates. They are in the fragment of the URL, so that links contain them and no server logs them.

import { useMemo } from 'react';
import { useLocation } from 'react-router-dom';
import { useReplaceUrl } from '@/shared/navigation';

/** Values of context fields by name. A field without a value is absent. */
export type LabContext = { readonly [field: string]: string };

/** Computes the next context from that of the current URL. */
export type ChangeLabContext = (edit: (current: LabContext) => LabContext) => void;

/** Separates the context from the one that it is compared with. */
const SEPARATOR = '&&';

/** Parses a fragment such as `#userId=4711&region=eu`, in its order. The first value of a field counts. */
export function parseFragment(hash: string): LabContext {
  return parseContext(hash.replace(/^#/u, '').split(SEPARATOR)[0] ?? '');
}

/** Parses the second context of a fragment such as `#userId=7&&userId=4711`; undefined if there is none. */
export function parseCompared(hash: string): LabContext | undefined {
  const [, second] = hash.replace(/^#/u, '').split(SEPARATOR);
  return second === undefined ? undefined : parseContext(second);
}

function parseContext(text: string): LabContext {
  const values = new Map<string, string>();
  for (const [field, value] of new URLSearchParams(text)) {
    if (field !== '' && value !== '' && !values.has(field)) values.set(field, value);
  }
  return Object.fromEntries(values);
}

/** Returns the fragment with the `#`, or an empty text for an empty context. */
export function toFragment(context: LabContext, compared?: LabContext): string {
  const [first, second] = [context, compared].map(
    (one) => one && new URLSearchParams(Object.entries(one).filter(([, value]) => value !== '')).toString(),
  );
  const fragment = second === undefined ? first : `${first}${SEPARATOR}${second}`;
  return fragment === '' ? '' : `#${fragment}`;
}

/** Returns the context with a value, or without the field if the value is empty. */
export function withField(context: LabContext, field: string, value: string): LabContext {
  const { [field]: _, ...others } = context;
  return value === '' ? others : { ...context, [field]: value };
}

/**
 * Returns the context of the URL and a function that changes it without a new history entry. A change starts from the
 * current URL, because the last render may be older than the last change.
 */
export function useLabContext(): readonly [LabContext, ChangeLabContext] {
  const { hash } = useLocation();
  const replace = useReplaceUrl();
  const context = useMemo(() => parseFragment(hash), [hash]);
  const change: ChangeLabContext = (edit) => {
    const { hash: now } = window.location;
    replace({ hash: toFragment(edit(parseFragment(now)), parseCompared(now)) });
  };
  return [context, change];
}

/** Like `useLabContext`, for the context to compare with; undefined without a comparison. */
export function useComparedContext() {
  const { hash } = useLocation();
  const replace = useReplaceUrl();
  const compared = useMemo(() => parseCompared(hash), [hash]);
  const set = (edit: (first: LabContext, second: LabContext | undefined) => LabContext | undefined) => {
    const { hash: now } = window.location;
    const first = parseFragment(now);
    replace({ hash: toFragment(first, edit(first, parseCompared(now))) });
  };
  const change: ChangeLabContext = (edit) => set((_, second = {}) => edit(second));
  return {
    compared,
    change,
    /** Starts with the same context. */
    start: () => set((first) => first),
    stop: () => set(() => undefined),
  };
}
