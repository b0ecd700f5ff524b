import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { cx } from '@/lib/cx';
import { Button } from '@/ui/Button';
import { type ButtonSize, type ButtonVariant, buttonClass } from '@/ui/buttonClass';

interface Props {
  to: string;
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: ReactNode;
  /** Renders a disabled button with the reason instead, because a link cannot be disabled. */
  disabledReason?: string | undefined;
  'aria-label'?: string;
  className?: string;
  onClick?: () => void;
  children: ReactNode;
}

/** Link that looks like a button. */
export function LinkButton({ to, variant, size, icon, disabledReason, className, children, ...rest }: Props) {
  const style = { ...(variant && { variant }), ...(size && { size }) };
  if (disabledReason !== undefined) {
    return (
      <Button {...style} {...rest} icon={icon} disabledReason={disabledReason}>
        {children}
      </Button>
    );
  }
  return (
    <Link {...rest} to={to} className={cx(buttonClass(style), className)}>
      {icon}
      {children}
    </Link>
  );
}
