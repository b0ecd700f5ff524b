import { type FocusEvent, type ToggleEvent, useId, useRef, useState } from 'react';
import { cx } from '@/lib/cx';
import { Button } from '@/ui/Button';
import type { ButtonSize } from '@/ui/buttonClass';
import { AddIcon } from '@/ui/icons';
import { openByArrow } from '@/ui/Menu';
import { AddStrategyPanel, type StrategyChoices } from './AddStrategyPanel';
import { moveInMenu } from './menuKeys';

interface Props extends StrategyChoices {
  size?: ButtonSize;
  disabledReason?: string | undefined;
}

/** Button that opens the strategies that can be added. Uses the browser's popover, like `Menu`. */
export function AddStrategyMenu({ size, disabledReason, ...choices }: Props) {
  const id = useId();
  const popup = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const onBeforeToggle = (event: ToggleEvent) => {
    // The content is removed after closing: the browser returns the focus only while it is inside the popover.
    if (event.newState === 'open') setOpen(true);
  };
  const onToggle = (event: ToggleEvent<HTMLElement>) => {
    if (event.newState === 'open') event.currentTarget.querySelector<HTMLElement>('[role=menuitem], button')?.focus();
    else setOpen(false);
  };
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) popup.current?.hidePopover();
  };
  return (
    <>
      <Button
        {...(size && { size })}
        icon={<AddIcon size={15} />}
        aria-haspopup="dialog"
        aria-expanded={open}
        disabledReason={disabledReason}
        popoverTarget={disabledReason === undefined ? id : undefined}
        onKeyDown={openByArrow}
      >
        Add strategy
      </Button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it has one of two roles. */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles support a label. */}
      <div
        ref={popup}
        id={id}
        popover="auto"
        // Only while it is open: shortcuts are inactive while the page contains a dialog.
        role={open ? 'dialog' : 'group'}
        tabIndex={-1}
        aria-label="Add strategy"
        className={POPUP}
        onBeforeToggle={onBeforeToggle}
        onToggle={onToggle}
        onBlur={onBlur}
        onKeyDown={moveInMenu}
      >
        {open && <AddStrategyPanel {...choices} onChosen={() => popup.current?.hidePopover()} />}
      </div>
    </>
  );
}

/** Below the button; at the bottom edge of phones. */
const POPUP = cx(
  'inset-auto mx-0 my-1.5 max-h-[400px] w-96 max-w-[calc(100vw-2rem)] flex-col rounded-card border border-line bg-surface',
  'text-body text-text shadow-overlay outline-none open:flex [position-area:bottom_span-left]',
  '[position-try-fallbacks:flip-block,flip-inline,flip-block_flip-inline]',
  'max-sm:inset-x-4 max-sm:bottom-1.5 max-sm:w-auto max-sm:[position-area:none]',
  'transition-opacity duration-120 starting:open:opacity-0',
);
