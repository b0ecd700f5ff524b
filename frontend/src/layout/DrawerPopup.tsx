import { Dialog } from '@base-ui/react/dialog';
import { cx } from '@/lib/cx';
import { useOverlay } from '@/lib/overlays';
import { iconButtonClass } from '@/ui/IconButton';
import { CloseIcon } from '@/ui/icons';
import { useReturnFocus } from '@/ui/useReturnFocus';
import { LocaleSelect, ThemeSelect } from './PreferenceMenus';
import { SideMenu } from './SideMenu';

interface DrawerPopupProps {
  open: boolean;
  onClose: () => void;
  signOut: boolean;
}

export function DrawerPopup({ open, onClose, signOut }: DrawerPopupProps) {
  const returnFocus = useReturnFocus();
  useOverlay('dialog', open);
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-50 bg-backdrop transition-opacity duration-150 data-starting-style:opacity-0" />
        <Dialog.Popup {...returnFocus} aria-label="Menu" className={DRAWER}>
          <div className="flex h-header shrink-0 items-center px-3">
            <Dialog.Close aria-label="Close menu" className={iconButtonClass}>
              <CloseIcon size={17} />
            </Dialog.Close>
          </div>
          <SideMenu signOut={signOut} />
          <div className="flex flex-col gap-3 border-line border-t p-4 sm:hidden">
            <LocaleSelect />
            <ThemeSelect />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const DRAWER = cx(
  'fixed inset-y-0 left-0 z-50 flex w-72 max-w-[85vw] flex-col overflow-y-auto bg-surface shadow-overlay outline-none',
  'transition-transform duration-180 data-starting-style:-translate-x-full',
);
