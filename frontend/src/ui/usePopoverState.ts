import { type ToggleEvent, useState } from 'react';
import { useOverlay } from '@/lib/overlays';

interface Options {
  /** Kind of overlay that keeps the shortcuts of the page away while it is open. */
  overlay: Parameters<typeof useOverlay>[0];
  /** Called when the popover has opened, with its content. */
  onOpen: (popup: HTMLElement) => void;
  /** Called when the popover begins to close, while it still has the focus. */
  onClose?: (popup: HTMLElement) => void;
}

/**
 * State of a popover of the browser whose content is rendered while it is open. The content is removed after closing, because the
 * browser returns the focus only while it is inside the popover. Pass the handlers to the element.
 */
export function usePopoverState({ overlay, onOpen, onClose }: Options) {
  const [isOpen, setOpen] = useState(false);
  // False as soon as the popover begins to close: `toggle` follows later, and the next key belongs to the page.
  const [isShown, setShown] = useState(false);
  useOverlay(overlay, isShown);
  return {
    isOpen,
    handlers: {
      onBeforeToggle: ({ newState, currentTarget }: ToggleEvent<HTMLElement>) => {
        setShown(newState === 'open');
        if (newState === 'open') setOpen(true);
        else onClose?.(currentTarget);
      },
      onToggle: ({ newState, currentTarget }: ToggleEvent<HTMLElement>) => {
        if (newState === 'open') onOpen(currentTarget);
        else setOpen(false);
      },
    },
  };
}
