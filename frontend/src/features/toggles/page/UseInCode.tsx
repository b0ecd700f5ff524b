import { createUserStore, useStore } from '@/lib/store';
import { lazyDialog } from '@/ui/lazy';

const UseLine = lazyDialog(() => import('@/domain/connect/UseLine'), 'UseLine');
const ConnectDialog = lazyDialog(() => import('@/domain/connect/ConnectDialog'), 'ConnectDialog');

/** The toggle that was created last. Its page shows a line of code on all tabs, until the line is closed. */
const newToggle = createUserStore<string | undefined>(undefined);

/** The toggle whose instructions are open. */
const connected = createUserStore<string | undefined>(undefined);

/** Shows the code that uses a new toggle on its page. */
export function showUseLine(toggle: string): void {
  newToggle.set(toggle);
}

/** Opens the instructions to use a toggle in an application. */
export function openConnectDialog(toggle: string): void {
  connected.set(toggle);
}

/** Code that uses the toggle: a line for a new one, and the dialog with the instructions. */
export function UseInCode({ toggle }: { toggle: string }) {
  const isNew = useStore(newToggle) === toggle;
  const isOpen = useStore(connected) === toggle;
  return (
    <>
      {isNew && (
        <UseLine
          toggle={toggle}
          onConnect={() => openConnectDialog(toggle)}
          onClose={() => newToggle.set(undefined)}
          loading={<div className="mb-4 h-11" />}
        />
      )}
      <ConnectDialog open={isOpen} toggle={toggle} onClose={() => connected.set(undefined)} />
    </>
  );
}
