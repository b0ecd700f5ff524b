import { useState } from 'react';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ConnectIcon } from '@/ui/icons';
import { ConnectGuide } from './ConnectGuide';

/** Opens the guide to connect another application. */
export function ConnectButton() {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button icon={<ConnectIcon />} onClick={() => setOpen(true)}>
        Connect
      </Button>
      <Dialog
        open={open}
        title="Connect an application"
        wide
        onClose={close}
        actions={<Button onClick={close}>Close</Button>}
      >
        <ConnectGuide />
      </Dialog>
    </>
  );
}
