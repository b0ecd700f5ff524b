import { type ReactNode, useState } from 'react';
import { lazyInIdle } from '@/lib/lazyInIdle';
import { LazyBoundary } from './LazyBoundary';

export interface DialogProps {
  open: boolean;
  /** Left out: the dialog stays until what it asks is done. */
  onClose?: () => void;
  title: string;
  /** A request of the dialog is under way: the dialog stays open until it has ended. */
  busy?: boolean;
  /** For what stands side by side. */
  wide?: boolean;
  children: ReactNode;
  actions?: ReactNode;
}

const DialogPopup = lazyInIdle(() => import('./DialogPopup').then((part) => part.DialogPopup));

export function Dialog(props: DialogProps) {
  // It stays mounted once it was open, so that closing can be seen and focus finds its way back.
  const [wasOpen, setWasOpen] = useState(props.open);
  if (props.open && !wasOpen) setWasOpen(true);
  return wasOpen || props.open ? (
    <LazyBoundary open={props.open} onLoadError={props.onClose}>
      <DialogPopup {...props} />
    </LazyBoundary>
  ) : null;
}
