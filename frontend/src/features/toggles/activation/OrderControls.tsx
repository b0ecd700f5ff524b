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

/** Drag handle, and buttons as the alternative for keyboard and assistive technology. */
export function OrderControls({ label, at, count, disabledReason, handle, onMove }: OrderProps) {
  if (count < 2) return null;
  return (
    <span className="-ml-1.5 flex items-center">
      <span
        aria-hidden="true"
        data-testid={`handle ${at + 1}`}
        data-reason={disabledReason}
        {...(disabledReason === undefined ? handle : {})}
        className={cx(
          'inline-flex h-8 w-6 touch-none items-center justify-center text-muted touch:size-touch',
          disabledReason === undefined ? 'cursor-grab active:cursor-grabbing' : 'cursor-not-allowed opacity-55',
        )}
      >
        <DragIcon />
      </span>
      <IconButton
        label={`Move ${label} up`}
        icon={<ChevronUpIcon />}
        disabledReason={disabledReason ?? (at === 0 ? 'Already first.' : undefined)}
        onClick={() => onMove(at - 1)}
      />
      <IconButton
        label={`Move ${label} down`}
        icon={<ChevronDownIcon />}
        disabledReason={disabledReason ?? (at === count - 1 ? 'Already last.' : undefined)}
        onClick={() => onMove(at + 1)}
      />
    </span>
  );
}
