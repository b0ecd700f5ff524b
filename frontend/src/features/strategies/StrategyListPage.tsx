import { Waypoints } from 'lucide-react';
import { strategies } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { yesNo } from '@/lib/copyAs';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { fullAddress } from '@/shared/CopyMenu';
import { CreateLink } from '@/shared/CreateLink';
import { EmptyState } from '@/ui/EmptyState';
import { ListBody } from '@/ui/ListBody';
import { PageHeader } from '@/ui/PageHeader';
import { StrategyRows } from './components/StrategyRows';

export function StrategyListPage() {
  const { data, error, reload } = useRead(strategies);
  return (
    <>
      <PageHeader
        title="Strategies"
        count={data?.strategies.length}
        actions={
          <>
            <CopyList
              items={data?.strategies}
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
      <ListBody
        noun="strategies"
        items={data?.strategies}
        error={error}
        onRetry={reload}
        empty={
          <EmptyState icon={<Waypoints size={20} strokeWidth={1.75} aria-hidden="true" />} title="No strategies">
            A strategy decides who gets a feature. Define one that your applications implement, and toggles can use it.
          </EmptyState>
        }
      >
        {(definitions) => <StrategyRows definitions={definitions} />}
      </ListBody>
    </>
  );
}
