import { type ReactNode, useState } from 'react';
import { ErrorPanel } from './ErrorPanel';
import { Progress } from './Progress';
import { UntilTouched } from './UntilTouched';

interface Props<Item> {
  /** In the singular, such as 'tag type'. */
  noun: string;
  /** Undefined until they are read. */
  items: readonly Item[] | undefined;
  /** Whether it is the one that the page is about. */
  is: (item: Item) => boolean;
  error: Error | undefined;
  onRetry: () => void;
  /** Where there is no such one. */
  missing: ReactNode;
  children: (item: Item) => ReactNode;
}

/** The one of a list that a page is about. It stays once it was found: whoever edits it must not lose it to a new list. */
export function Found<Item>({ noun, items, is, error, onRetry, missing, children }: Props<Item>) {
  const [found, setFound] = useState<Item>();
  const now = items?.find(is) ?? found;
  if (now !== found) setFound(() => now);
  if (now !== undefined) return <UntilTouched item={now}>{children}</UntilTouched>;
  if (items) return missing;
  if (error) return <ErrorPanel title={`The ${noun} could not be loaded`} error={error} onRetry={onRetry} />;
  return <Progress label={`Loading the ${noun}`} />;
}
