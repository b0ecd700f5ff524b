import type { ReactNode } from 'react';
import { lazyDialog } from './lazy';

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

/** Modal dialog. */
export const Dialog = lazyDialog(() => import('./DialogPopup'), 'DialogPopup');
