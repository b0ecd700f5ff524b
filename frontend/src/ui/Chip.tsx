import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { CloseIcon } from './icons';

type Tone = 'neutral' | 'quiet' | 'accent' | 'on' | 'warn' | 'danger' | 'dirty';

const TONES: { [key in Tone]: string } = {
  neutral: 'bg-chip text-muted',
  quiet: 'border border-line text-muted',
  accent: 'bg-accent-soft text-accent',
  on: 'bg-on-soft text-on',
  warn: 'bg-warn-soft text-warn',
  danger: 'bg-danger-soft text-danger',
  dirty: 'bg-dirty-soft text-dirty',
};

export function chipClass(tone: Tone): string {
  return cx(
    'inline-flex h-[22px] max-w-full items-center gap-1.5 whitespace-nowrap rounded-chip px-2 font-semibold text-label forced-colors:border',
    TONES[tone],
  );
}

/** Class of the button that removes a chip. */
export const chipRemoveClass =
  'relative -mr-1 inline-flex size-4 items-center justify-center rounded-chip hover:bg-surface disabled:cursor-not-allowed disabled:opacity-40 touch:size-6 touch:after:absolute touch:after:-inset-2.5';

/** Over the end of the text, while the pointer or the focus is in the chip; on touch screens always beside the text. */
const REMOVE_AT_HAND = cx(
  chipRemoveClass,
  'bg-inherit [@media(hover:hover)]:absolute [@media(hover:hover)]:right-1 [@media(hover:hover)]:mr-0',
  '[@media(hover:hover)]:opacity-0 focus-visible:opacity-100! group-hover/chip:opacity-100!',
);

interface ChipProps {
  tone?: Tone;
  icon?: ReactNode;
  onRemove?: (() => void) | undefined;
  /** Accessible name of the remove button. */
  removeLabel?: string;
  children: ReactNode;
}

export function Chip({ tone = 'neutral', icon, onRemove, removeLabel = 'Remove', children }: ChipProps) {
  return (
    <span data-chip="" className={cx(chipClass(tone), onRemove && 'group/chip relative')}>
      {icon}
      <span className="truncate">{children}</span>
      {onRemove && (
        <button type="button" aria-label={removeLabel} onClick={onRemove} className={REMOVE_AT_HAND}>
          <CloseIcon size={12} strokeWidth={2} />
        </button>
      )}
    </span>
  );
}
