import { getInitials } from '@/api/profile';
import { cx } from '@/lib/cx';

/** Spreads similar numbers over the circle of hues. */
const GOLDEN_ANGLE = 137.508;

/** Initials in a colour that identifies the author of a change. */
export function AuthorAvatar({ name, className }: { name: string; className?: string }) {
  const hash = [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 7);
  return (
    <span
      aria-hidden="true"
      className={cx(
        'size-5 shrink-0 rounded-full text-center font-semibold text-[9px] text-on-avatar leading-5 forced-colors:border',
        className,
      )}
      // The lightness is the same for all hues, so that the contrast is too.
      style={{ backgroundColor: `oklch(0.46 0.1 ${(hash * GOLDEN_ANGLE) % 360})` }}
    >
      {getInitials(name)}
    </span>
  );
}
