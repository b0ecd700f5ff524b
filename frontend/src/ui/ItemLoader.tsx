import { type ReactNode, useState } from 'react';
import { ErrorPanel } from './ErrorPanel';
import { LatestUntilEdited } from './LatestUntilEdited';
import { Progress } from './Progress';

interface Props<Item> {
  /** In the singular, such as 'tag type'. */
  noun: string;
  /** Undefined until they are read. */
  items: readonly Item[] | undefined;
  /** Whether it is the one that the page is about. */
  matches: (item: Item) => boolean;
  error: Error | undefined;
  onRetry: () => void;
  /** Where there is no such one. */
  notFound: ReactNode;
  children: (item: Item) => ReactNode;
}

/** The one of a list that a page is about. It stays once it was found: whoever edits it must not lose it to a new list. */
export function ItemLoader<Item>({ noun, items, matches, error, onRetry, notFound, children }: Props<Item>) {
  const [lastFound, setLastFound] = useState<Item>();
  const current = items?.find(matches) ?? lastFound;
  if (current !== lastFound) setLastFound(() => current);
  if (current !== undefined) return <LatestUntilEdited item={current}>{children}</LatestUntilEdited>;
  if (items) return notFound;
  if (error) return <ErrorPanel title={`The ${noun} could not be loaded`} error={error} onRetry={onRetry} />;
  return <Progress label={`Loading the ${noun}`} />;
}
