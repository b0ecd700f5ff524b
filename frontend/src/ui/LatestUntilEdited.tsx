import { Fragment, type ReactNode, useState } from 'react';
import { EditCapture } from './EditCapture';

interface Props<Item> {
  /** Undefined if it does not exist. */
  item: Item | undefined;
  children: (item: Item) => ReactNode;
  /** Shown without an item. Default: nothing. */
  fallback?: ReactNode;
}

/**
 * Renders a form with the latest version of `item` until the user starts to edit, and with that version afterwards, also
 * if the item is deleted. Before that, a new version remounts the form.
 */
export function LatestUntilEdited<Item>({ item, children, fallback }: Props<Item>) {
  const [frozen, setFrozen] = useState<Item>();
  const current = frozen ?? item;
  if (current === undefined) return fallback;
  const freeze = () => setFrozen(() => current);
  return (
    <EditCapture onEdit={freeze}>
      <Fragment key={JSON.stringify(current)}>{children(current)}</Fragment>
    </EditCapture>
  );
}
