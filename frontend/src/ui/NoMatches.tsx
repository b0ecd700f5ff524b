import { SearchX } from 'lucide-react';
import { Button } from './Button';
import { EmptyState } from './EmptyState';

interface Props {
  /** What is listed, in the singular. */
  noun?: string;
  /** How many there are without the filters. */
  total: number;
  onClear: () => void;
}

/** The list is not empty: the filters leave nothing of it. */
export function NoMatches({ noun = 'toggle', total, onClear }: Props) {
  return (
    <div className="rounded-card border border-line bg-surface">
      <EmptyState
        icon={<SearchX size={20} strokeWidth={1.75} aria-hidden="true" />}
        title={`No ${noun} matches`}
        actions={<Button onClick={onClear}>Clear filters</Button>}
      >
        {total === 1 ? 'The only one is' : `All ${total} are`} hidden by what you search for.
      </EmptyState>
    </div>
  );
}
