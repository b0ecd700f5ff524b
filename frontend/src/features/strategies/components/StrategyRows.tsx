// The list's rows, and what narrows them once there are many.
import { SearchX } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import type { StrategyDefinition } from '@/api/generated/types';
import { useSearch } from '@/lib/useSearch';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { SearchField } from '@/ui/SearchField';
import { isLong, matching } from '../search';
import { StrategyTable } from './StrategyTable';

export function StrategyRows({ definitions }: { definitions: readonly StrategyDefinition[] }) {
  const [params, setParams] = useSearchParams();
  const filter = params.get('filter') ?? '';
  const apply = (text: string) => setParams(text === '' ? {} : { filter: text }, { replace: true });
  const search = useSearch(filter, apply);
  const shown = matching(definitions, filter);
  return (
    <div className="grid gap-3">
      {(isLong(definitions) || filter !== '') && (
        <SearchField
          label="Search strategies"
          placeholder="Search by name, description or parameter..."
          {...search}
          shortcutHint="/"
        />
      )}
      {shown.length > 0 ? (
        <StrategyTable definitions={shown} />
      ) : (
        <Card>
          <EmptyState
            icon={<SearchX size={20} strokeWidth={1.75} aria-hidden="true" />}
            title="No strategy matches"
            actions={<Button onClick={() => apply('')}>Clear search</Button>}
          >
            All {definitions.length} strategies are hidden by what you search for.
          </EmptyState>
        </Card>
      )}
    </div>
  );
}
