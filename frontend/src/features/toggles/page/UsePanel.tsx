import { useEffect, useRef } from 'react';
import { createUserStore, useStore } from '@/lib/store';
import { Card } from '@/ui/Card';
import { IconButton } from '@/ui/IconButton';
import { CloseIcon } from '@/ui/icons';
import { lazyDialog } from '@/ui/lazy';
import { Progress } from '@/ui/Progress';

const ConnectGuide = lazyDialog(() => import('@/domain/connect/ConnectGuide'), 'ConnectGuide');

/** The toggle whose panel is open. It stays open on all tabs of the page. */
const openPanel = createUserStore<{ toggle: string; takesFocus: boolean } | undefined>(undefined);

/** Opens the panel of a toggle. It takes the focus, unless its page is about to open. */
export function openUsePanel(toggle: string, { takesFocus = true } = {}): void {
  openPanel.set({ toggle, takesFocus });
}

/** Code that uses the toggle in an application, until the application has connected. Closed by default. */
export function UsePanel({ toggle }: { toggle: string }) {
  const open = useStore(openPanel);
  const heading = useRef<HTMLHeadingElement>(null);
  const isOpen = open?.toggle === toggle;
  const takesFocus = isOpen && open.takesFocus;
  // The panel is above the button that opens it: the focus scrolls to it.
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  if (!isOpen) return null;
  return (
    <section aria-label="Use it" className="mb-4 max-sm:mt-2">
      <Card>
        <div className="mb-3 flex items-center justify-between gap-2">
          <h2 ref={heading} tabIndex={-1} className="font-semibold outline-none">
            Use it
          </h2>
          <IconButton label="Close “Use it”" icon={<CloseIcon size={17} />} onClick={() => openPanel.set(undefined)} />
        </div>
        <ConnectGuide toggle={toggle} loading={<Progress label="Loading" />} />
      </Card>
    </section>
  );
}
