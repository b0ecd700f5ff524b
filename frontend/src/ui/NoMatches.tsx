import type { ReactNode } from 'react';
import { Button } from './Button';
import { EmptyState } from './EmptyState';
import { NotFoundIcon } from './icons';

interface Props {
  /** Kind of the listed items, in the singular. */
  noun?: string;
  /** Number of items without the filters. */
  total: number;
  onClear: () => void;
  /** Further buttons. */
  children?: ReactNode;
}

/** Shown if no item of a list passes the filters. */
export function NoMatches({ noun = 'toggle', total, onClear, children }: Props) {
  return (
    <div className="rounded-card border border-line bg-surface">
      <EmptyState
        icon={<NotFoundIcon size={20} />}
        title={`No ${noun} matches these filters`}
        actions={
          <>
            <Button onClick={onClear}>Clear filters</Button>
            {children}
          </>
        }
      >
        {total === 1 ? '1 item is hidden.' : `${total} items are hidden.`}
      </EmptyState>
    </div>
  );
}
