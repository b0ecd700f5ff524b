import { use, useDeferredValue } from 'react';
import { getMatcher, type Matcher } from './searchPattern';

/** Compiles a filter. The previous result stays visible while the pattern engine is loading. */
export function useMatcher(filter: string): { text: string; matches: Matcher } {
  const text = useDeferredValue(filter.trim());
  const matcher = getMatcher(text);
  return { text, matches: matcher instanceof Promise ? use(matcher) : matcher };
}
