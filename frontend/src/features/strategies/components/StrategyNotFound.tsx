import { Plus } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useDisabledReason } from '@/api/permissions';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { NotThere } from '@/shared/NotThere';
import { buttonClass } from '@/ui/buttonClass';
import { PageHeader } from '@/ui/PageHeader';
import { StrategyUsageCards } from './StrategyUsage';

export function StrategyNotFound({ name }: { name: string }) {
  const mayCreate = useDisabledReason('CREATE_STRATEGY') === undefined;
  return (
    <>
      <PageHeader title={name} breadcrumb={<Breadcrumb within={sections.strategies} here={name} />} />
      <NotThere
        title="Strategy not found"
        within={sections.strategies}
        actions={
          mayCreate && (
            <Link to={paths.createStrategy(name)} className={buttonClass({ variant: 'primary' })}>
              <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
              Create {name}
            </Link>
          )
        }
      >
        No strategy definition is called <b className="wrap-anywhere text-text">{name}</b>. Toggles and applications may
        use one of that name all the same.
      </NotThere>
      <div className="mt-4">
        <StrategyUsageCards name={name} isDefined={false} />
      </div>
    </>
  );
}
