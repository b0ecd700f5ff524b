import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';

interface Props {
  /** Usually the column's width. */
  className?: string;
  children: ReactNode;
}

/** Header cell of a `PlainTable`. */
export function ColumnHeader({ className, children }: Props) {
  return (
    <th
      scope="col"
      className={cx('px-2 py-2.5 text-left font-semibold text-label text-muted first:pl-4 last:pr-4', className)}
    >
      {children}
    </th>
  );
}
