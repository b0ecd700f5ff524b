import { type KeyboardEvent, type ReactNode, Suspense, useRef, useState } from 'react';
import { lazyInIdle } from '@/lib/lazyInIdle';
import { Button } from './Button';
import { IconButton } from './IconButton';

export type MenuItem =
  | {
      id: string;
      label: string;
      icon?: ReactNode;
      tone?: 'danger';
      /** Given: one of several choices, of which one holds. */
      checked?: boolean;
      disabledReason?: string | undefined;
      onSelect: () => void;
    }
  | { separator: true };

interface MenuProps {
  label: string;
  trigger: { icon?: ReactNode; text?: ReactNode };
  items: readonly MenuItem[];
  disabledReason?: string | undefined;
}

const { Component: MenuPopup, prefetch } = lazyInIdle(() => import('./MenuPopup').then((part) => part.MenuPopup));

/** A plain button until it is pressed: a list may hold thousands of them. */
export function Menu({ label, trigger, items, disabledReason }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' || disabledReason !== undefined) return;
    event.preventDefault();
    setOpen(true);
  };
  const shared = {
    ref: button,
    'aria-haspopup': 'menu',
    'aria-expanded': open,
    disabledReason,
    onPointerEnter: prefetch,
    onKeyDown,
    onClick: () => setOpen(!open),
  } as const;
  return (
    <>
      {trigger.text === undefined ? (
        <IconButton {...shared} label={label} icon={trigger.icon} />
      ) : (
        <Button {...shared} icon={trigger.icon} aria-label={typeof trigger.text === 'string' ? undefined : label}>
          {trigger.text}
        </Button>
      )}
      {open && (
        <Suspense>
          <MenuPopup label={label} items={items} anchor={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
