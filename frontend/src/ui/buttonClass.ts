import { cx } from '@/lib/cx';

export type ButtonVariant =
  | 'primary'
  | 'secondary'
  | 'control'
  | 'quiet'
  | 'ghost'
  | 'danger'
  | 'dangerPrimary'
  | 'unsaved'
  | 'bar';
export type ButtonSize = 'medium' | 'small';

const VARIANTS: { [key in ButtonVariant]: string } = {
  primary: 'forced-color-adjust-none bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border border-line-strong bg-surface text-text shadow-card hover:bg-sunken',
  /** Beside selects and search fields in a toolbar. */
  control: 'border border-line-control bg-surface text-text shadow-card hover:bg-sunken',
  /** Its text is a value, which stays readable while it cannot be changed. */
  quiet: cx(
    'border border-line bg-sunken text-muted hover:not-data-reason:bg-line hover:not-data-reason:text-text',
    'data-reason:opacity-100!',
  ),
  ghost: 'text-muted hover:bg-sunken hover:text-text',
  /** Action of the dark bar at the bottom edge. */
  bar: 'text-text hover:bg-sunken',
  danger: 'border border-line-strong bg-surface text-danger shadow-card hover:bg-danger-soft',
  unsaved: 'forced-color-adjust-none bg-dirty text-on-accent hover:brightness-90 forced-colors:bg-[Highlight]',
  dangerPrimary: 'forced-color-adjust-none bg-danger text-surface hover:brightness-90',
};

const SIZES: { [key in ButtonSize]: string } = {
  medium: 'h-control px-3.5 text-body touch:h-touch',
  small: 'h-control-small px-2.5 text-secondary touch:h-touch',
};

/** Classes of a button, also used for links that look like buttons. */
export function buttonClass({
  variant = 'secondary',
  size = 'medium',
}: {
  variant?: ButtonVariant;
  size?: ButtonSize;
} = {}): string {
  return cx(
    'relative inline-flex shrink-0 items-center justify-center gap-2 whitespace-nowrap rounded-control font-semibold',
    'transition-colors duration-120 aria-disabled:cursor-not-allowed aria-disabled:opacity-55',
    'disabled:cursor-not-allowed disabled:opacity-55',
    VARIANTS[variant],
    SIZES[size],
  );
}
