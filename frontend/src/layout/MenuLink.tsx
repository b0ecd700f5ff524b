import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { MenuEntry } from '@/routes';

type Place = Pick<MenuEntry, 'path' | 'includes'>;

interface Props {
  entry: Place;
  className: string;
  children: ReactNode;
}

/** Returns whether a page belongs to a section. */
export function isWithin({ path, includes = [] }: Place, pathname: string): boolean {
  return [path, ...includes].some((one) => `${pathname}/`.startsWith(`${one}/`));
}

/** Link to a section, marked as current on the pages of the section. */
export function MenuLink({ entry, className, children }: Props) {
  const { pathname } = useLocation();
  const current = pathname === entry.path ? 'page' : isWithin(entry, pathname) || undefined;
  return (
    <Link to={entry.path} aria-current={current} className={className}>
      {children}
    </Link>
  );
}
