import { Fragment } from 'react';
import { strategies } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { OrDivider } from './OrDivider';
import { StrategiesHeading } from './StrategiesHeading';
import { StrategyCard } from './StrategyCard';
import { UsageCard } from './UsageCard';

export function Activation({ toggle }: { toggle: Toggle }) {
  const definitions = useRead(strategies).data?.strategies;
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_300px]">
      <section aria-labelledby="activation-heading" className="grid min-w-0 content-start gap-3">
        <StrategiesHeading id="activation-heading" />
        {toggle.strategies.map((strategy, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: strategies have no name of their own, and nothing here moves.
          <Fragment key={index}>
            {index > 0 && <OrDivider />}
            <StrategyCard strategy={strategy} definitions={definitions} />
          </Fragment>
        ))}
      </section>
      <UsageCard toggle={toggle} />
    </div>
  );
}
