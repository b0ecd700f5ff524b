import { Fragment, type ReactNode, useState } from 'react';

interface Props<Item> {
  item: Item;
  children: (item: Item) => ReactNode;
}

/**
 * What an edit begins with may come from a list that was read long ago: until somebody sets out to edit it, it begins
 * anew with what is read meanwhile; from then on it stays.
 */
export function UntilTouched<Item>({ item, children }: Props<Item>) {
  const [touched, setTouched] = useState<Item>();
  const now = touched ?? item;
  const touch = () => setTouched(() => now);
  return (
    // Some browsers give no focus to a button that is pressed.
    <div className="contents" onFocusCapture={touch} onPointerDownCapture={touch}>
      <Fragment key={JSON.stringify(now)}>{children(now)}</Fragment>
    </div>
  );
}
