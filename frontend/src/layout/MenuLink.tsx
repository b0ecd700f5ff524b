import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { MenuEntry } from '@/routes';

interface Props {
  entry: Pick<MenuEntry, 'path' | 'includes'>;
  className: string;
  children: ReactNode;
}

/** Link to a section, marked as current on the pages of the section. */
export function MenuLink({ entry: { path, includes = [] }, className, children }: Props) {
  const { pathname } = useLocation();
  const isWithin = [path, ...includes].some((one) => `${pathname}/`.startsWith(`${one}/`));
  const current = pathname === path ? 'page' : isWithin || undefined;
  return (
    <Link to={path} aria-current={current} className={className}>
      {children}
    </Link>
  );
}
