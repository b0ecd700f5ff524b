// The cells that the toggle list and the archive have in common. On phones a row is a card of two lines.
import type { ReactNode } from 'react';
import type { Counts, Toggle } from '@/api/generated/types';
import { Chip } from './Chip';
import { Ring } from './Ring';
import { Time } from './Time';

export const toggleRowHeight = { wide: 56, narrow: 84 };

const phoneCell = 'max-sm:col-start-3 max-sm:col-span-3';

export function HeaderCell({ children, className = '' }: { children: ReactNode; className?: string }) {
  return (
    <th scope="col" className={`py-2 text-left text-label font-semibold text-muted ${className}`}>
      {children}
    </th>
  );
}

export function RingCell({
  counts,
  children,
}: {
  counts: Counts | undefined;
  children?: (ring: ReactNode) => ReactNode;
}) {
  const ring = <Ring counts={counts} />;
  return <td className="max-sm:row-span-2">{children ? children(ring) : ring}</td>;
}

interface NameCellProps {
  toggle: Toggle;
  name: ReactNode;
}

export function NameCell({ toggle, name }: NameCellProps) {
  return (
    <td className={`min-w-0 pr-4 max-sm:self-end ${phoneCell}`}>
      <span className="flex min-w-0 items-center gap-2">
        <span className="truncate font-semibold">{name}</span>
        {toggle.stale && <Chip tone="warn">Stale</Chip>}
      </span>
      <span className="block truncate text-secondary text-muted">{toggle.description}</span>
    </td>
  );
}

export function TimeCell({ value, never }: { value: string | null; never: string }) {
  return (
    <td className="truncate text-secondary text-muted">
      <Time value={value} never={never} />
    </td>
  );
}

export function TypeCell({ name }: { name: string }) {
  return (
    <td>
      <Chip>{name}</Chip>
    </td>
  );
}
