import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { type ButtonSize, type ButtonVariant, buttonClass } from './buttonClass';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: ReactNode;
  /** A request is in progress: shows a spinner instead of the icon or the text, at the same size, and ignores clicks. */
  busy?: boolean;
  /** The reason why the button is disabled. It stays focusable, so that the reason can be read. */
  disabledReason?: string | undefined;
}

export function Button(props: ButtonProps) {
  const { variant, size, icon, busy = false, disabledReason, className, onClick, children, ...rest } = props;
  const isInert = busy || disabledReason !== undefined;
  return (
    <button
      type="button"
      {...rest}
      {...disabledProps(disabledReason)}
      {...(busy ? { 'aria-busy': true, 'aria-disabled': true } : {})}
      className={cx(
        buttonClass({ ...(variant && { variant }), ...(size && { size }) }),
        busy && !icon && OVERLAY,
        className,
      )}
      onClick={isInert ? preventSubmit : onClick}
    >
      {busy ? <Spinner /> : icon}
      {busy && !icon ? <span className="opacity-0">{children}</span> : children}
    </button>
  );
}

/** Places the spinner over the text, so that the button keeps its size. */
const OVERLAY = '*:first:absolute';

/** Props of a control that is disabled but focusable. `ReasonTooltip` shows the reason. */
export function disabledProps(reason: string | undefined) {
  return reason === undefined
    ? {}
    : { 'aria-disabled': true as const, 'aria-description': reason, 'data-reason': reason };
}

/** Keeps a disabled submit button from submitting the form. */
function preventSubmit(event: MouseEvent): void {
  event.preventDefault();
}

/** Decorative spinner. The surrounding element describes the activity. */
function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-4 shrink-0 animate-spin rounded-full border-2 border-current border-t-transparent"
    />
  );
}
