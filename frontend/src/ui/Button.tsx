import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { type ButtonSize, type ButtonVariant, buttonClass } from './buttonClass';
import { Spinner } from './Spinner';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: ReactNode;
  /** Something is under way: a spinner instead of the icon, and presses count for nothing. */
  busy?: boolean;
  /** Why it cannot be pressed now. It stays reachable, so that everyone can learn the reason. */
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
      className={cx(buttonClass({ ...(variant && { variant }), ...(size && { size }) }), className)}
      onClick={isInert ? preventSubmit : onClick}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

/** What marks a control that stays in reach and says why it does nothing (ReasonTip shows it). */
export function disabledProps(reason: string | undefined) {
  return reason === undefined
    ? {}
    : { 'aria-disabled': true as const, 'aria-description': reason, 'data-reason': reason };
}

/** A submit button that is disabled must not submit either. */
function preventSubmit(event: MouseEvent): void {
  event.preventDefault();
}
