import { type ReactNode, useState } from 'react';
import { EditCapture } from './EditCapture';
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

/** Finds the item of a page in a list. An item that the user has begun to edit stays after its deletion, so that its form keeps its input. */
export function ItemLoader<Item>({ noun, items, matches, error, onRetry, notFound, children }: Props<Item>) {
  const [edited, setEdited] = useState<Item>();
  const item = items?.find(matches) ?? edited;
  if (item !== undefined)
    return (
      <EditCapture onEdit={() => setEdited(() => item)}>
        <LatestUntilEdited item={item}>{children}</LatestUntilEdited>
      </EditCapture>
    );
  if (items) return notFound;
  if (error) return <ErrorPanel title={`The ${noun} could not be loaded`} error={error} onRetry={onRetry} />;
  return <Progress label={`Loading the ${noun}`} />;
}
