import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { disabledProps } from './Button';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'children'> {
  /** Accessible name and tooltip. */
  label: string;
  icon: ReactNode;
  disabledReason?: string | undefined;
}

export function IconButton({ label, icon, disabledReason, className, onClick, ...rest }: IconButtonProps) {
  const ignore = (event: MouseEvent) => event.preventDefault();
  return (
    <button
      type="button"
      aria-label={label}
      data-tip={disabledReason === undefined ? label : undefined}
      {...rest}
      {...disabledProps(disabledReason)}
      className={cx(iconButtonClass, className)}
      onClick={disabledReason === undefined ? onClick : ignore}
    >
      {icon}
    </button>
  );
}

export const iconButtonClass = cx(
  'relative inline-flex size-8 shrink-0 items-center justify-center rounded-control text-muted transition-colors duration-120',
  'hover:bg-sunken hover:text-text aria-disabled:cursor-not-allowed aria-disabled:opacity-55 aria-expanded:bg-sunken touch:size-touch',
  'disabled:cursor-not-allowed disabled:opacity-55',
);
