import { Dialog as Primitive } from '@base-ui/react/dialog';
import { cx } from '@/lib/cx';
import { disabledProps } from './Button';
import { BUSY } from './busyReason';
import type { DialogProps } from './Dialog';
import { iconButtonClass } from './IconButton';
import { CloseIcon } from './icons';
import { useReturnFocus } from './useReturnFocus';

export function DialogPopup({ open, onClose, title, busy = false, wide = false, children, actions }: DialogProps) {
  const returnFocus = useReturnFocus();
  return (
    <Primitive.Root
      open={open}
      disablePointerDismissal={busy || onClose === undefined}
      onOpenChange={(next) => {
        if (!next && !busy) onClose?.();
      }}
    >
      <Primitive.Portal>
        <Primitive.Backdrop className={BACKDROP} />
        <Primitive.Viewport className="fixed inset-0 z-50 flex overflow-y-auto p-4">
          <Primitive.Popup {...returnFocus} className={cx(POPUP, wide ? 'w-[760px]' : 'w-[500px]')}>
            <Primitive.Title className="pr-8 text-section [font-weight:650]">{title}</Primitive.Title>
            {children}
            {actions && <div className="flex flex-wrap justify-end gap-2.5">{actions}</div>}
            {onClose && (
              <Primitive.Close
                aria-label="Close"
                {...disabledProps(busy ? BUSY : undefined)}
                className={cx(iconButtonClass, 'absolute! top-3 right-3')}
              >
                <CloseIcon size={17} />
              </Primitive.Close>
            )}
          </Primitive.Popup>
        </Primitive.Viewport>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

const BACKDROP = cx(
  'fixed inset-0 z-50 bg-backdrop transition-opacity duration-150',
  'data-ending-style:opacity-0 data-starting-style:opacity-0',
);

const POPUP = cx(
  'relative m-auto flex min-w-0 max-w-full flex-col gap-4 rounded-card border border-line bg-surface p-5 shadow-overlay outline-none',
  'transition-[opacity,scale] duration-150 data-ending-style:scale-98 data-starting-style:scale-98',
  'data-ending-style:opacity-0 data-starting-style:opacity-0',
);
