import { Link, type LinkProps } from 'react-router-dom';
import { cx } from '@/lib/cx';

interface Props extends LinkProps {
  /** By default, the link has the colour of its text until the pointer is over it. */
  tone?: 'accent';
  className?: string;
}

/** Link in a text or a table. */
export function TextLink({ tone, className, ...rest }: Props) {
  return (
    <Link
      {...rest}
      className={cx(className, tone === 'accent' ? 'text-accent' : 'hover:text-accent', 'hover:underline')}
    />
  );
}
