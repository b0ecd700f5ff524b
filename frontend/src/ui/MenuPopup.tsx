import { Menu as Primitive } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { RefObject } from 'react';
import { cx } from '@/lib/cx';
import type { MenuItem } from './Menu';

interface MenuPopupProps {
  label: string;
  items: readonly MenuItem[];
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
}

export function MenuPopup({ label, items, anchor, onClose }: MenuPopupProps) {
  const onOpenChange: Primitive.Root.Props['onOpenChange'] = (open, { reason, event }) => {
    const onTrigger = event.target instanceof Node && anchor.current?.contains(event.target);
    // A press on the trigger closes by the trigger's own hand; closing twice would open again.
    if (open || (reason === 'outside-press' && onTrigger)) return;
    onClose();
  };
  const chosen = items.find((item) => 'id' in item && item.checked);
  return (
    <Primitive.Root open modal={false} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Positioner anchor={anchor} side="bottom" align="end" sideOffset={6} className="z-40 outline-none">
          <Primitive.Popup aria-label={label} finalFocus={anchor} className={POPUP}>
            <Primitive.RadioGroup value={chosen && 'id' in chosen ? chosen.id : null}>
              {items.map((item, index) =>
                'separator' in item ? (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a line has nothing but its place.
                  <Primitive.Separator key={`line-${index}`} className="mx-1 my-1 h-px bg-line" />
                ) : (
                  <Item key={item.id} item={item} />
                ),
              )}
            </Primitive.RadioGroup>
          </Primitive.Popup>
        </Primitive.Positioner>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

function Item({ item }: { item: Exclude<MenuItem, { separator: true }> }) {
  const { label, icon, tone, checked, disabledReason, onSelect } = item;
  const shared = { label, disabled: disabledReason !== undefined, onClick: onSelect };
  const className = cx(ITEM, tone === 'danger' && 'text-danger', disabledReason !== undefined && 'opacity-60');
  const content = (
    <>
      {icon && <span className="flex text-muted [.text-danger>&]:text-current">{icon}</span>}
      <span className="flex min-w-0 flex-1 flex-col">
        {label}
        {disabledReason !== undefined && <span className="text-label text-muted">{disabledReason}</span>}
      </span>
    </>
  );
  if (checked === undefined) {
    return (
      <Primitive.Item {...shared} className={className}>
        {content}
      </Primitive.Item>
    );
  }
  return (
    <Primitive.RadioItem {...shared} value={item.id} closeOnClick className={className}>
      {content}
      <Check size={16} strokeWidth={2} aria-hidden="true" className={cx('text-accent', !checked && 'invisible')} />
    </Primitive.RadioItem>
  );
}

const POPUP = cx(
  'max-h-[min(400px,var(--available-height))] min-w-44 max-w-80 origin-(--transform-origin) overflow-y-auto rounded-card border border-line',
  'bg-surface p-1 text-body shadow-overlay outline-none transition-[opacity,scale] duration-120',
  'data-starting-style:scale-98 data-starting-style:opacity-0',
);

const ITEM = cx(
  'flex min-h-8 cursor-default select-none items-center gap-2.5 rounded-chip px-2.5 py-1 outline-none',
  'data-highlighted:bg-accent-soft touch:min-h-touch',
);
