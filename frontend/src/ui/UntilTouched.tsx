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
  return (
    <div className="contents" onFocusCapture={() => setTouched(() => now)}>
      <Fragment key={JSON.stringify(now)}>{children(now)}</Fragment>
    </div>
  );
}
