import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { CheckIcon } from './icons';

export interface MenuAction {
  id: string;
  label: string;
  icon?: ReactNode;
  tone?: 'danger';
  /** Makes the item a radio item. */
  checked?: boolean;
  disabledReason?: string | undefined;
  onSelect: () => void;
}

interface MenuItemsProps {
  items: readonly (MenuAction | { separator: true })[];
  onSelect: (item: MenuAction) => void;
}

export function MenuItems({ items, onSelect }: MenuItemsProps) {
  return items.map((item, index) =>
    'separator' in item ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a separator has no other identity.
      <hr key={`line-${index}`} className="m-1 border-line" />
    ) : (
      <Item key={item.id} item={item} onSelect={() => onSelect(item)} />
    ),
  );
}

function Item({ item, onSelect }: { item: MenuAction; onSelect: () => void }) {
  const { label, icon, tone, checked, disabledReason } = item;
  const disabled = disabledReason !== undefined;
  return (
    <button
      type="button"
      tabIndex={-1}
      {...(checked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': checked })}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onSelect}
      className={cx(ITEM, tone === 'danger' && 'text-danger', disabled && 'cursor-not-allowed text-muted')}
    >
      {icon && <span className={cx('flex', tone !== 'danger' && 'text-muted')}>{icon}</span>}
      <span className="flex min-w-0 flex-1 flex-col">
        {label}
        {disabled && <span className="text-label text-muted">{disabledReason}</span>}
      </span>
      {checked !== undefined && <CheckIcon strokeWidth={2} className={cx('text-accent', !checked && 'invisible')} />}
    </button>
  );
}

const ITEM = cx(
  'flex min-h-8 shrink-0 items-center gap-2.5 rounded-chip px-2.5 py-1 text-left outline-none',
  'hover:bg-sunken focus:forced-selected focus:bg-accent-soft touch:min-h-touch',
);
