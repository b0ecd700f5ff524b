import type { ParameterDefinition, StrategyDefinition } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { paths, type StrategyTab, sections, strategyTabs, toStrategyTab } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { LinkButton } from '@/shared/LinkButton';
import { ResourceNotFound } from '@/shared/ResourceNotFound';
import { TabLinks } from '@/shared/TabLinks';
import { useOpenNextPage } from '@/shared/useOpenNextPage';
import { useRouteParams } from '@/shared/useRouteParams';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import type { Column } from '@/ui/Column';
import { ItemHeader } from '@/ui/ItemHeader';
import { ItemLoader } from '@/ui/ItemLoader';
import { AddIcon, DeprecateIcon, ReactivateIcon, RemoveIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { PlainTable } from '@/ui/PlainTable';
import { ReadOnlyNote } from '@/ui/ReadOnlyNote';
import { SecondaryActions } from '@/ui/SecondaryActions';
import { StrategyBadges } from './StrategyBadges';
import { StrategyEdit } from './StrategyEdit';
import { StrategyUsageCards } from './StrategyUsage';
import { useStrategy } from './useStrategies';
import { useStrategyActions } from './useStrategyActions';
import { useStrategyDisabledReasons } from './useStrategyDisabledReasons';

export function StrategyPage() {
  const { activeTab, name = '' } = useRouteParams();
  const tab = toStrategyTab(activeTab);
  return (
    <ItemLoader
      noun="strategy"
      id={name}
      {...useStrategy(name)}
      loadingNote={<p className="mt-4 text-muted">Loading definition...</p>}
      notFound={<DefinitionNotFound name={name} />}
    >
      {(shown) => (
        <>
          <StrategyHeader definition={shown} />
          <Panel definition={shown} isEditTab={tab === 'edit'} />
        </>
      )}
    </ItemLoader>
  );
}

/** Shows the tabs only to users who can edit the strategy. */
function Panel({ definition, isEditTab }: { definition: StrategyDefinition; isEditTab: boolean }) {
  const { edit: readOnlyReason } = useStrategyDisabledReasons(definition);
  if (readOnlyReason === undefined) {
    return (
      <>
        <StrategyTabs name={definition.name} current={isEditTab ? 'edit' : 'view'} />
        {isEditTab ? <StrategyEdit definition={definition} /> : <StrategyDetails definition={definition} />}
      </>
    );
  }
  return (
    <>
      {isEditTab && (
        <div className="mb-5">
          <ReadOnlyNote reason={readOnlyReason} />
        </div>
      )}
      <StrategyDetails definition={definition} />
    </>
  );
}

function StrategyDetails({ definition: { name, parameters, deprecated } }: { definition: StrategyDefinition }) {
  return (
    <div className="grid gap-6">
      {deprecated && (
        <p className="rounded-control bg-warn-soft px-4 py-3 text-warn">
          Deprecated: it can no longer be added to toggles.
        </p>
      )}
      <ParameterTable parameters={parameters} />
      <StrategyUsageCards name={name} isDefined />
    </div>
  );
}

const columns: readonly Column<ParameterDefinition>[] = [
  { header: 'Name', width: '25%', cell: ({ name }) => name },
  { header: 'Type', width: '7rem', cell: ({ type }) => <Chip>{type}</Chip> },
  { header: 'Description', className: 'text-muted', cell: ({ description }) => description },
  {
    header: 'Required',
    width: '7rem',
    cell: ({ required }) => (required ? 'Required' : <span className="text-muted">Optional</span>),
  },
];

function ParameterTable({ parameters }: { parameters: readonly ParameterDefinition[] }) {
  return (
    <section aria-labelledby="parameters-heading" className="grid gap-3">
      <h2 id="parameters-heading" className="font-semibold">
        Parameters
      </h2>
      {parameters.length === 0 ? (
        <p className="rounded-card border border-line-strong border-dashed px-4 py-3 text-muted text-secondary">
          This strategy has no parameters.
        </p>
      ) : (
        <PlainTable label="Parameters" columns={columns} rows={parameters} rowKey={({ name }) => name} />
      )}
    </section>
  );
}

function StrategyHeader({ definition }: { definition: StrategyDefinition }) {
  const openNext = useOpenNextPage();
  const disabledReasons = useStrategyDisabledReasons(definition);
  const { ask, dialog } = useStrategyActions(() => void openNext(paths.strategies()));
  const { name, description, deprecated } = definition;
  const Icon = deprecated ? ReactivateIcon : DeprecateIcon;
  const deprecate = {
    id: 'deprecate',
    label: deprecated ? 'Reactivate' : 'Deprecate',
    icon: <Icon />,
    disabledReason: disabledReasons.deprecate,
    onSelect: () => void ask({ action: deprecated ? 'reactivate' : 'deprecate', definition }),
  };
  const remove = {
    id: 'remove',
    label: 'Delete',
    icon: <RemoveIcon />,
    tone: 'danger' as const,
    disabledReason: disabledReasons.remove,
    onSelect: () => void ask({ action: 'remove', definition }),
  };
  return (
    <>
      <ItemHeader
        breadcrumb={<Breadcrumb within={sections.strategies} />}
        name={name}
        mark={<StrategyBadges definition={definition} />}
        actions={
          <SecondaryActions items={[deprecate, remove]}>
            <Button icon={deprecate.icon} disabledReason={deprecate.disabledReason} onClick={deprecate.onSelect}>
              {deprecate.label}
            </Button>
            <Button
              variant="danger"
              icon={remove.icon}
              disabledReason={remove.disabledReason}
              onClick={remove.onSelect}
            >
              {remove.label}
            </Button>
          </SecondaryActions>
        }
      />
      <p className="wrap-anywhere -mt-2 mb-5 max-w-[80ch] text-muted max-sm:mt-0 max-sm:mb-2">
        {description || 'Unknown'}
      </p>
      {dialog}
    </>
  );
}

function DefinitionNotFound({ name }: { name: string }) {
  const canCreate = usePermission('CREATE_STRATEGY') === undefined;
  return (
    <>
      <PageHeader title={name} breadcrumb={<Breadcrumb within={sections.strategies} />} />
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

const labels: { [key in StrategyTab]: string } = { view: 'Details', edit: 'Edit' };

function StrategyTabs({ name, current }: { name: string; current: StrategyTab }) {
  const tabs = strategyTabs.map((id) => ({ id, label: labels[id], path: paths.strategy(name, id) }));
  return <TabLinks label="Strategy tabs" tabs={tabs} current={current} />;
}
