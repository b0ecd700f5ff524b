import { Plus, SearchX, Waypoints } from 'lucide-react';
import { Link, useSearchParams } from 'react-router-dom';
import { strategies } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { needs, usePermission } from '@/api/permissions';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import { buttonClass } from '@/ui/buttonClass';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PageHeader } from '@/ui/PageHeader';
import { SearchField } from '@/ui/SearchField';
import { StrategyTable } from './components/StrategyTable';
import { StrategyTableSkeleton } from './components/StrategyTableSkeleton';
import { isLong, matching } from './search';

export function StrategyListPage() {
  const { data, error, reload } = useRead(strategies);
  const [params, setParams] = useSearchParams();
  const filter = params.get('filter') ?? '';
  const search = (text: string) => setParams(text === '' ? {} : { filter: text }, { replace: true });
  const definitions = data?.strategies;
  const shown = definitions && matching(definitions, filter);
  return (
    <>
      <PageHeader title="Strategies" count={definitions?.length} actions={<Add />} />
      {error && !data && <ErrorPanel title="The strategies could not be loaded" error={error} onRetry={reload} />}
      {!error && !data && <StrategyTableSkeleton />}
      {definitions?.length === 0 && (
        <Card>
          <EmptyState
            icon={<Waypoints size={20} strokeWidth={1.75} aria-hidden="true" />}
            title="No strategies"
            actions={<Add />}
          >
            A strategy decides who gets a feature. Define one that your applications implement.
          </EmptyState>
        </Card>
      )}
      {definitions && shown && definitions.length > 0 && (
        <div className="grid gap-3">
          {(isLong(definitions) || filter !== '') && (
            <SearchField
              label="Search strategies"
              placeholder="Search by name, description, parameter..."
              value={filter}
              onChange={search}
              onCommit={search}
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
                actions={<Button onClick={() => search('')}>Clear search</Button>}
              >
                All {definitions.length} strategies are hidden by what you search for.
              </EmptyState>
            </Card>
          )}
        </div>
      )}
    </>
  );
}

function Add() {
  const icon = <Plus size={16} strokeWidth={1.75} aria-hidden="true" />;
  if (!usePermission('CREATE_STRATEGY')) {
    return (
      <Button icon={icon} disabledReason={needs('CREATE_STRATEGY')}>
        Add strategy
      </Button>
    );
  }
  return (
    <Link to={paths.createStrategy()} className={buttonClass({ variant: 'primary' })}>
      {icon}
      Add strategy
    </Link>
  );
}
