import { Waypoints } from 'lucide-react';
import { strategies } from '@/api/endpoints';
import type { StrategyDefinition } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { yesNo } from '@/lib/copyAs';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { fullAddress } from '@/shared/CopyMenu';
import { CreateLink } from '@/shared/CreateLink';
import { SearchedList } from '@/shared/SearchedList';
import { useListSearch } from '@/shared/useListSearch';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeader } from '@/ui/PageHeader';
import { StrategyTable } from './components/StrategyTable';

const textsOf = ({ name, description, parameters }: StrategyDefinition) => [
  name,
  description,
  ...parameters.map((parameter) => parameter.name),
];

export function StrategyListPage() {
  const { data, error, reload } = useRead(strategies, { handlesFailure: true });
  const search = useListSearch(data?.strategies, textsOf);
  return (
    <>
      <PageHeader
        title="Strategies"
        count={data?.strategies.length}
        actions={
          <>
            <CopyList
              items={search.shown}
              call={strategies}
              columns={[
                {
                  head: 'Strategy',
                  text: ({ name }) => name,
                  address: ({ name }) => fullAddress(paths.strategy(name)),
                },
                { head: 'Description', text: ({ description }) => description },
                { head: 'Parameters', text: ({ parameters }) => parameters.map(({ name }) => name).join(', ') },
                { head: 'Deprecated', text: ({ deprecated = false }) => yesNo(deprecated) },
              ]}
            />
            <CreateLink to={paths.createStrategy()} permission="CREATE_STRATEGY" noun="strategy" />
          </>
        }
      />
      <SearchedList
        nouns={['strategy', 'strategies']}
        by="name, description or parameter"
        search={search}
        error={error}
        onRetry={reload}
        empty={
          <EmptyState icon={<Waypoints size={20} strokeWidth={1.75} aria-hidden="true" />} title="No strategies">
            A strategy decides who gets a feature. Create one that your applications implement to use it on toggles.
          </EmptyState>
        }
      >
        {(shown) => <StrategyTable definitions={shown} />}
      </SearchedList>
    </>
  );
}
