import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { cx } from '@/lib/cx';
import { CheckIcon, ChevronDownIcon } from './icons';

interface MenuEntry {
  id: string;
  label: string;
  icon?: ReactNode;
  disabledReason?: string | undefined;
}

export interface MenuAction extends MenuEntry {
  tone?: 'danger';
  /** Makes the item a radio item. */
  checked?: boolean;
  onSelect: () => void;
}

/** An entry that shows further entries below it. */
export interface Submenu extends MenuEntry {
  items: readonly MenuAction[];
}

export type MenuItem = MenuAction | Submenu | { separator: true };

interface MenuItemsProps {
  items: readonly MenuItem[];
  onSelect: (item: MenuAction) => void;
}

export function MenuItems({ items, onSelect }: MenuItemsProps) {
  return items.map((item, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: a separator has no other identity.
    if ('separator' in item) return <hr key={`line-${index}`} className="m-1 border-line" />;
    if ('items' in item) return <SubmenuItem key={item.id} item={item} onSelect={onSelect} />;
    return <Item key={item.id} item={item} onSelect={onSelect} />;
  });
}

function Item({ item, onSelect }: { item: MenuAction; onSelect: (item: MenuAction) => void }) {
  const { tone, checked } = item;
  const disabled = item.disabledReason !== undefined;
  return (
    <button
      type="button"
      tabIndex={-1}
      {...(checked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': checked })}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : () => onSelect(item)}
      className={cx(ITEM, tone === 'danger' && 'text-danger', disabled && DISABLED)}
    >
      <ItemText {...item} />
      {checked !== undefined && <CheckIcon strokeWidth={2} className={cx('text-accent', !checked && 'invisible')} />}
    </button>
  );
}

/** Its entries are in the same menu, so that the arrow keys reach them, and that they fit on phones. */
function SubmenuItem({ item, onSelect }: { item: Submenu; onSelect: (item: MenuAction) => void }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const disabled = item.disabledReason !== undefined;
  function handleKey(event: KeyboardEvent<HTMLElement>) {
    if (disabled || (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft')) return;
    event.preventDefault();
    setOpen(event.key === 'ArrowRight');
    if (event.key === 'ArrowLeft') event.currentTarget.querySelector('button')?.focus();
  }
  return (
    <div role="none" onKeyDown={handleKey}>
      <button
        type="button"
        tabIndex={-1}
        role="menuitem"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-disabled={disabled || undefined}
        onClick={disabled ? undefined : () => setOpen(!isOpen)}
        className={cx(ITEM, 'w-full', disabled && DISABLED)}
      >
        <ItemText {...item} />
        <ChevronDownIcon className={cx('text-muted', !isOpen && '-rotate-90')} />
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu. */}
      <div role="group" id={id} aria-label={item.label} className="flex flex-col pl-6.5 empty:hidden">
        {isOpen && item.items.map((one) => <Item key={one.id} item={one} onSelect={onSelect} />)}
      </div>
    </div>
  );
}

function ItemText({ label, icon, tone, disabledReason }: MenuEntry & { tone?: 'danger' }) {
  return (
    <>
      {icon && <span className={cx('flex', tone !== 'danger' && 'text-muted')}>{icon}</span>}
      <span className="flex min-w-0 flex-1 flex-col">
        {label}
        {disabledReason !== undefined && <span className="text-label text-muted">{disabledReason}</span>}
      </span>
    </>
  );
}

const DISABLED = 'cursor-not-allowed text-muted';

const ITEM = cx(
  'flex min-h-8 shrink-0 items-center gap-2.5 rounded-chip px-2.5 py-1 text-left outline-none',
  'hover:bg-sunken focus:forced-selected focus:bg-accent-soft touch:min-h-touch',
);
