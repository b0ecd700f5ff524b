import { use, useDeferredValue } from 'react';
import { getMatcher, type Matcher } from './searchPattern';

/** What a filter means. While a pattern's engine is being loaded, what was shown before stays. */
export function useMatcher(filter: string): { text: string; matches: Matcher } {
  const text = useDeferredValue(filter.trim());
  const matcher = getMatcher(text);
  return { text, matches: matcher instanceof Promise ? use(matcher) : matcher };
}
