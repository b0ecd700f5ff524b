import { Dialog as Primitive } from '@base-ui/react/dialog';
import { cx } from '@/lib/cx';
import { useOverlay } from '@/lib/overlays';
import { disabledProps } from './Button';
import { BUSY } from './busyReason';
import type { DialogProps } from './Dialog';
import { iconButtonClass } from './IconButton';
import { CloseIcon } from './icons';
import { useReturnFocus } from './useReturnFocus';

export function DialogPopup({ open, onClose, title, busy = false, wide = false, children, actions }: DialogProps) {
  const returnFocus = useReturnFocus();
  useOverlay('dialog', open);
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
        <Primitive.Viewport className="fixed inset-0 z-50 flex overflow-y-auto p-4 max-sm:overflow-hidden max-sm:p-0 max-sm:pt-6">
          <Primitive.Popup
            {...returnFocus}
            className={cx(POPUP, wide ? WIDE : 'w-[500px]', actions ? 'max-sm:pb-0' : SAFE_BOTTOM)}
          >
            <Primitive.Title className="pr-8 text-section [font-weight:650]">{title}</Primitive.Title>
            {children}
            {actions && <div className={cx(ACTIONS, wide && WIDE_ACTIONS, SAFE_BOTTOM)}>{actions}</div>}
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

const SAFE_BOTTOM = 'max-sm:pb-[max(1rem,env(safe-area-inset-bottom))]';

/** A long dialog scrolls, so that its buttons stay visible. */
const WIDE = 'w-[760px] sm:max-h-full sm:overflow-y-auto';
const WIDE_ACTIONS = 'sm:sticky sm:-bottom-5 sm:-mx-5 sm:-mb-5 sm:bg-surface sm:px-5 sm:py-4';

/** On phones, they stay visible while the content scrolls. */
const ACTIONS = cx(
  'flex flex-wrap justify-end gap-2.5',
  'max-sm:sticky max-sm:bottom-0 max-sm:-mx-4 max-sm:bg-surface max-sm:px-4 max-sm:pt-3',
);

/** On phones, the dialog is a sheet at the bottom edge, in reach of the thumb. */
const POPUP = cx(
  'relative m-auto flex min-w-0 max-w-full flex-col gap-4 rounded-card border border-line bg-surface p-5 shadow-overlay outline-none',
  'max-sm:mb-0 max-sm:max-h-full max-sm:w-full max-sm:overflow-y-auto max-sm:rounded-b-none max-sm:border-b-0 max-sm:p-4',
  'transition-[opacity,scale] duration-150 data-ending-style:scale-98 data-starting-style:scale-98',
  'data-ending-style:opacity-0 data-starting-style:opacity-0',
);
