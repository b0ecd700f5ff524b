import type { ReactNode } from 'react';
import { ErrorPanel } from './ErrorPanel';
import { LatestUntilEdited } from './LatestUntilEdited';
import { Progress } from './Progress';

interface Props<Item> {
  /** In the singular, such as 'tag type'. */
  noun: string;
  /** Undefined while loading. */
  items: readonly Item[] | undefined;
  /** Selects the item of this page. */
  matches: (item: Item) => boolean;
  error: Error | undefined;
  onRetry: () => void;
  /** Shown if no item matches. */
  notFound: ReactNode;
  children: (item: Item) => ReactNode;
}

/** Finds the item of a page in a list, and renders its form. */
export function ItemLoader<Item>({ noun, items, matches, error, onRetry, notFound, children }: Props<Item>) {
  const missing = () => {
    if (items) return notFound;
    if (error) return <ErrorPanel title={`The ${noun} could not be loaded`} error={error} onRetry={onRetry} />;
    return <Progress label={`Loading the ${noun}`} />;
  };
  return (
    <LatestUntilEdited item={items?.find(matches)} fallback={missing()}>
      {children}
    </LatestUntilEdited>
  );
}
