import { ChevronDown, ChevronUp, GripVertical } from 'lucide-react';
import { cx } from '@/lib/cx';
import { IconButton } from '@/ui/IconButton';

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
        <GripVertical size={16} strokeWidth={1.75} />
      </span>
      <IconButton
        label={`Move ${label} up`}
        icon={<ChevronUp size={16} strokeWidth={1.75} aria-hidden="true" />}
        disabledReason={disabledReason ?? (at === 0 ? 'Already first.' : undefined)}
        onClick={() => onMove(at - 1)}
      />
      <IconButton
        label={`Move ${label} down`}
        icon={<ChevronDown size={16} strokeWidth={1.75} aria-hidden="true" />}
        disabledReason={disabledReason ?? (at === count - 1 ? 'Already last.' : undefined)}
        onClick={() => onMove(at + 1)}
      />
    </span>
  );
}
