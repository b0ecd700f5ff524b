import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';

interface Props {
  /** Its width, mostly. */
  className?: string;
  children: ReactNode;
}

/** What stands above a column of a plain table. */
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
