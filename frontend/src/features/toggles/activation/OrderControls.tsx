import { cx } from '@/lib/cx';
import { IconButton } from '@/ui/IconButton';
import { ChevronDownIcon, ChevronUpIcon, DragIcon } from '@/ui/icons';

interface OrderProps {
  label: string;
  at: number;
  count: number;
  /** Reason why strategies cannot be moved now. */
  disabledReason: string | undefined;
  handle: object;
  onMove: (to: number) => void;
}

/**
 * Drag handle. Buttons for the keyboard, assistive technology and single clicks appear on hover and keyboard focus, over
 * the icon beside the handle, so that nothing moves.
 */
export function OrderControls({ label, at, count, disabledReason, handle, onMove }: OrderProps) {
  if (count < 2) return null;
  return (
    <span className="group relative -ml-1.5 flex shrink-0 items-center touch:-ml-3">
      <span
        aria-hidden="true"
        data-testid={`handle ${at + 1}`}
        data-reason={disabledReason}
        {...(disabledReason === undefined ? handle : {})}
        className={cx(
          'peer inline-flex h-8 w-6 touch-none items-center justify-center text-muted touch:size-touch',
          disabledReason === undefined ? 'cursor-grab active:cursor-grabbing' : 'cursor-not-allowed opacity-55',
        )}
      >
        <DragIcon />
      </span>
      <span className={BUTTONS}>
        <IconButton
          label={`Move ${label} up`}
          icon={<ChevronUpIcon />}
          disabledReason={disabledReason ?? (at === 0 ? 'Already first.' : undefined)}
          className={BUTTON}
          onClick={() => onMove(at - 1)}
        />
        <IconButton
          label={`Move ${label} down`}
          icon={<ChevronDownIcon />}
          disabledReason={disabledReason ?? (at === count - 1 ? 'Already last.' : undefined)}
          className={BUTTON}
          onClick={() => onMove(at + 1)}
        />
      </span>
    </span>
  );
}

/** Hidden while the handle is pressed. */
const BUTTONS = cx(
  'pointer-events-none absolute left-full z-10 grid rounded-control border border-line bg-surface opacity-0 shadow-card',
  'group-hover:pointer-events-auto group-hover:opacity-100 peer-active:opacity-0 has-focus-visible:opacity-100',
);

/** Two buttons fill the height of the card's header, also on touch screens: fingers use the handle. */
const BUTTON = 'h-6! w-8!';
