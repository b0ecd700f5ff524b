// The context that the lab evaluates. It is in the fragment of the URL, so that links contain it and no server logs it.

import { useMemo } from 'react';
import { useLocation } from 'react-router-dom';
import { useReplaceUrl } from '@/shared/navigation';

/** Values of context fields by name. A field without a value is absent. */
export type LabContext = { readonly [field: string]: string };

/** Computes the next context from that of the current URL. */
export type ChangeLabContext = (edit: (current: LabContext) => LabContext) => void;

/** Parses a fragment such as `#userId=4711&region=eu`, in its order. The first value of a field counts. */
export function parseFragment(hash: string): LabContext {
  const values = new Map<string, string>();
  for (const [field, value] of new URLSearchParams(hash.replace(/^#/u, ''))) {
    if (field !== '' && value !== '' && !values.has(field)) values.set(field, value);
  }
  return Object.fromEntries(values);
}

/** Returns the fragment with the `#`, or an empty text for an empty context. */
export function toFragment(context: LabContext): string {
  const fragment = new URLSearchParams(Object.entries(context).filter(([, value]) => value !== '')).toString();
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
  const change: ChangeLabContext = (edit) => replace({ hash: toFragment(edit(parseFragment(window.location.hash))) });
  return [context, change];
}
