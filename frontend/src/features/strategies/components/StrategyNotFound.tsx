import { Link } from 'react-router-dom';
import { useDisabledReason } from '@/api/permissions';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { ResourceNotFound } from '@/shared/ResourceNotFound';
import { buttonClass } from '@/ui/buttonClass';
import { AddIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { StrategyUsageCards } from './StrategyUsage';

export function StrategyNotFound({ name }: { name: string }) {
  const canCreate = useDisabledReason('CREATE_STRATEGY') === undefined;
  return (
    <>
      <PageHeader title={name} breadcrumb={<Breadcrumb within={sections.strategies} here={name} />} />
      <ResourceNotFound
        title="Strategy not found"
        within={sections.strategies}
        actions={
          canCreate && (
            <Link to={paths.createStrategy(name)} className={buttonClass({ variant: 'primary' })}>
              <AddIcon />
              Create {name}
            </Link>
          )
        }
      >
        No strategy is named <b className="wrap-anywhere text-text">{name}</b>. Toggles and applications may still use
        this name.
      </ResourceNotFound>
      <div className="mt-4">
        <StrategyUsageCards name={name} isDefined={false} />
      </div>
    </>
  );
}
