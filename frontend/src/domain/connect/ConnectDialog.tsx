import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ConnectGuide } from './ConnectGuide';

interface Props {
  open: boolean;
  /** The toggle that the code evaluates. Without it, the user enters one. */
  toggle?: string;
  onClose: () => void;
}

/** Dialog with the instructions to connect an application. */
export function ConnectDialog({ open, toggle, onClose }: Props) {
  return (
    <Dialog
      open={open}
      title="Connect an application"
      wide
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <ConnectGuide {...(toggle !== undefined && { toggle })} />
    </Dialog>
  );
}
