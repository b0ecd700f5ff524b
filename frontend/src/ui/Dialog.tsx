import { type ReactNode, useState } from 'react';
import { lazyInIdle } from '@/lib/lazyInIdle';
import { LazyBoundary } from './LazyBoundary';

export interface DialogProps {
  open: boolean;
  /** Omitted for a dialog that cannot be dismissed. */
  onClose?: () => void;
  title: string;
  /** A request of the dialog is in progress: it cannot be closed until the request has ended. */
  busy?: boolean;
  /** For content in two columns. */
  wide?: boolean;
  children: ReactNode;
  actions?: ReactNode;
}

const DialogPopup = lazyInIdle(() => import('./DialogPopup').then((part) => part.DialogPopup));

/** Modal dialog. Its code is loaded when it is first opened. */
export function Dialog(props: DialogProps) {
  // Stays mounted after the first opening, for the closing animation and to restore the focus.
  const [wasOpen, setWasOpen] = useState(props.open);
  if (props.open && !wasOpen) setWasOpen(true);
  return wasOpen || props.open ? (
    <LazyBoundary open={props.open} onLoadError={props.onClose}>
      <DialogPopup {...props} />
    </LazyBoundary>
  ) : null;
}
