import { strategies } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { paths } from '@/paths';
import { CreateLink } from '@/shared/CreateLink';
import { ListActions } from '@/shared/ListActions';
import { SearchableList } from '@/shared/SearchableList';
import { useListSearch } from '@/shared/useListSearch';
import { EmptyState } from '@/ui/EmptyState';
import { StrategyIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { StrategyTable, strategyColumns } from './components/StrategyTable';

export function StrategyListPage() {
  const { data, error, reload } = useRead(strategies, { handlesFailure: true });
  const search = useListSearch(data?.strategies, strategyColumns);
  return (
    <>
      <PageHeader
        title="Strategies"
        count={data?.strategies.length}
        actions={
          <>
            <ListActions
              items={search.shown}
              call={strategies}
              columns={strategyColumns}
              related={{ label: 'Context fields', to: paths.contextFields() }}
            />
            <CreateLink to={paths.createStrategy()} permission="CREATE_STRATEGY" noun="strategy" />
          </>
        }
      />
      <SearchableList
        nouns={['strategy', 'strategies']}
        search={search}
        error={error}
        onRetry={reload}
        empty={
          <EmptyState icon={<StrategyIcon size={20} />} title="No strategies">
            A strategy decides who gets a feature. Create one that your applications implement to use it on toggles.
          </EmptyState>
        }
      >
        {(shown) => <StrategyTable definitions={shown} />}
      </SearchableList>
    </>
  );
}
