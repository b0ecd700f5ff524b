import { Fragment, type ReactNode, useState } from 'react';

interface Props<Item> {
  item: Item;
  children: (item: Item) => ReactNode;
}

/**
 * What an edit begins with may come from a list that was read long ago: until somebody sets out to edit it, it begins
 * anew with what is read meanwhile; from then on it stays.
 */
export function LatestUntilEdited<Item>({ item, children }: Props<Item>) {
  const [frozen, setFrozen] = useState<Item>();
  const current = frozen ?? item;
  const freeze = () => setFrozen(() => current);
  return (
    // Some browsers give no focus to a button that is pressed.
    <div className="contents" onFocusCapture={freeze} onPointerDownCapture={freeze}>
      <Fragment key={JSON.stringify(current)}>{children(current)}</Fragment>
    </div>
  );
}
