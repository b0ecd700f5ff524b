import { Fragment, type ReactNode, useState } from 'react';

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
    // The pointer event is needed because some browsers do not focus a clicked button.
    <div className="contents" onFocusCapture={freeze} onPointerDownCapture={freeze}>
      <Fragment key={JSON.stringify(current)}>{children(current)}</Fragment>
    </div>
  );
}
