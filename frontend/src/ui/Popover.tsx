import { type ReactNode, type ToggleEvent, useId, useState } from 'react';
import { cx } from '@/lib/cx';
import { Button } from './Button';
import type { ButtonSize, ButtonVariant } from './buttonClass';
import { VisuallyHidden } from './VisuallyHidden';

interface Props {
  /** Name of the panel, and the text of the button unless it has another one. */
  label: string;
  icon?: ReactNode;
  text?: ReactNode;
  variant?: ButtonVariant;
  size?: ButtonSize;
  className?: string;
  /** Number of active choices, shown on the button unless it is 0. */
  count?: number;
  /** Rendered while the popover is open. */
  children: () => ReactNode;
}

/** Button with a panel of controls. Uses the browser's popover, which provides closing and focus return. */
export function Popover({ label, text = label, count = 0, children, ...button }: Props) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const onBeforeToggle = (event: ToggleEvent) => {
    if (event.newState === 'open') setOpen(true);
  };
  const onToggle = (event: ToggleEvent<HTMLFieldSetElement>) => {
    // React also passes the events of menus inside.
    if (event.target !== event.currentTarget) return;
    if (event.newState === 'open')
      event.currentTarget.querySelector<HTMLElement>('input:checked, input[type^=date], select')?.focus();
    else setOpen(false);
  };
  return (
    <>
      <Button aria-expanded={open} popoverTarget={id} {...button}>
        {text}
        {count > 0 && (
          <span className="-mr-1 rounded-full bg-accent px-1.5 forced-color-adjust-none text-label text-on-accent tabular-nums">
            {count}
            <VisuallyHidden> active</VisuallyHidden>
          </span>
        )}
      </Button>
      <fieldset
        id={id}
        popover="auto"
        aria-label={label}
        className={POPUP}
        onBeforeToggle={onBeforeToggle}
        onToggle={onToggle}
      >
        {open && children()}
      </fieldset>
    </>
  );
}

const POPUP = cx(
  'inset-auto mx-0 my-1.5 w-80 max-w-[calc(100vw-2rem)] rounded-card border border-line bg-surface p-4 text-body text-text',
  'shadow-overlay max-h-[calc(100%-12px)] overflow-y-auto [position-area:bottom_span-left]',
  // It opens to the side with more space, because its height is limited to the space there.
  '[position-try-fallbacks:flip-block,flip-inline,flip-block_flip-inline] [position-try-order:most-height]',
  // On phones in the middle, because it would touch the edge.
  'max-sm:justify-self-center max-sm:[position-area:bottom_span-all]',
  'transition-opacity duration-120 starting:open:opacity-0',
);
