import { usePermission } from '@/api/permissions';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { LinkButton } from '@/shared/LinkButton';
import { ResourceNotFound } from '@/shared/ResourceNotFound';
import { AddIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { StrategyUsageCards } from './StrategyUsage';

export function StrategyNotFound({ name }: { name: string }) {
  const canCreate = usePermission('CREATE_STRATEGY') === undefined;
  return (
    <>
      <PageHeader title={name} breadcrumb={<Breadcrumb within={sections.strategies} here={name} />} />
      <ResourceNotFound
        title="Strategy not found"
        within={sections.strategies}
        actions={
          canCreate && (
            <LinkButton to={paths.createStrategy(name)} variant="primary" icon={<AddIcon />}>
              Create {name}
            </LinkButton>
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
