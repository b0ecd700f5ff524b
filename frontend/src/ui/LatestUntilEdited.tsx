import { Fragment, type ReactNode, useState } from 'react';
import { EditCapture } from './EditCapture';

interface Props<Item> {
  item: Item;
  children: (item: Item) => ReactNode;
}

/**
 * Renders a form with the latest version of `item` until the user starts to edit, and with that version afterwards.
 * Before that, a new version remounts the form.
 */
export function LatestUntilEdited<Item>({ item, children }: Props<Item>) {
  const [frozen, setFrozen] = useState<Item>();
  const current = frozen ?? item;
  const freeze = () => setFrozen(() => current);
  return (
    <EditCapture onEdit={freeze}>
      <Fragment key={JSON.stringify(current)}>{children(current)}</Fragment>
    </EditCapture>
  );
}
