import { strategies } from '@/api/endpoints';
import type { StrategyDefinition } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { paths, sections } from '@/paths';
import { CreateLink } from '@/shared/CreateLink';
import { ListActions } from '@/shared/ListActions';
import { useOpenPage } from '@/shared/navigation';
import { SearchableList } from '@/shared/SearchableList';
import { TextLink } from '@/shared/TextLink';
import { useListSearch } from '@/shared/useListSearch';
import { type Column, textColumn } from '@/ui/Column';
import { Count } from '@/ui/Count';
import { EmptyState } from '@/ui/EmptyState';
import { IconButton } from '@/ui/IconButton';
import { DeprecateIcon, ReactivateIcon, RemoveIcon, StrategyIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { PlainTable } from '@/ui/PlainTable';
import { StrategyBadges } from './StrategyBadges';
import { useUsageCounts } from './useStrategies';
import { type PendingAction, useStrategyActions } from './useStrategyActions';
import { useStrategyDisabledReasons } from './useStrategyDisabledReasons';

export function StrategyListPage() {
  const { data, error, reload } = useRead(strategies);
  const search = useListSearch(data?.strategies, strategyColumns);
  return (
    <>
      <PageHeader
        title="Strategies"
        count={data?.strategies.length}
        actions={
          <ListActions
            items={search.shown}
            related={[{ label: sections.contextFields.label, to: paths.contextFields() }]}
          >
            <CreateLink to={paths.createStrategy()} permission="CREATE_STRATEGY" noun="strategy" />
          </ListActions>
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

const strategyColumns: readonly Column<StrategyDefinition>[] = [
  textColumn('Name', ({ name }) => name, {
    cell: (definition) => <Name definition={definition} />,
  }),
  { header: 'Description', search: ({ description }) => description },
  {
    header: 'Parameters',
    width: '25%',
    phoneLabel: 'Parameters:',
    cell: (definition) => parameterNames(definition).join(', ') || <span className="text-faint">none</span>,
    search: parameterNames,
    searchName: 'parameter',
  },
  { header: 'Used by', width: '9rem', className: 'text-muted tabular-nums', cell: ({ name }) => <Uses name={name} /> },
];

function parameterNames({ parameters }: StrategyDefinition): readonly string[] {
  return parameters.map(({ name }) => name);
}

function StrategyTable({ definitions }: { definitions: readonly StrategyDefinition[] }) {
  const { ask, dialog } = useStrategyActions();
  const open = useOpenPage();
  return (
    <>
      <PlainTable
        label="Strategies"
        columns={strategyColumns}
        rows={definitions}
        rowKey={({ name }) => name}
        onEdit={({ name }) => void open(paths.strategy(name, 'edit'))}
        actions={(definition) => <Actions definition={definition} onAction={ask} />}
      />
      {dialog}
    </>
  );
}

function Name({ definition }: { definition: StrategyDefinition }) {
  const { name, description } = definition;
  return (
    <>
      <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
        <TextLink to={paths.strategy(name)} className="min-w-0">
          {name}
        </TextLink>
        <StrategyBadges definition={definition} />
      </span>
      <span className="line-clamp-2 font-normal text-muted text-secondary">{description || 'Unknown'}</span>
    </>
  );
}

interface ActionsProps {
  definition: StrategyDefinition;
  onAction: (pending: PendingAction) => void;
}

function Actions({ definition, onAction }: ActionsProps) {
  const disabledReasons = useStrategyDisabledReasons(definition);
  const { name, deprecated } = definition;
  const Icon = deprecated ? ReactivateIcon : DeprecateIcon;
  return (
    <>
      <IconButton
        label={`${deprecated ? 'Reactivate' : 'Deprecate'} ${name}`}
        icon={<Icon />}
        disabledReason={disabledReasons.deprecate}
        onClick={() => onAction({ action: deprecated ? 'reactivate' : 'deprecate', definition })}
      />
      <IconButton
        label={`Delete ${name}`}
        icon={<RemoveIcon />}
        disabledReason={disabledReasons.remove}
        onClick={() => onAction({ action: 'remove', definition })}
      />
    </>
  );
}

function Uses({ name }: { name: string }) {
  const { toggles, applications } = useUsageCounts(name);
  return (
    <>
      {toggles !== undefined && (
        <span className={COUNT}>
          <Count value={toggles} noun="toggle" />
        </span>
      )}
      {applications !== undefined && (
        <span className={COUNT}>
          <Count value={applications} noun="application" />
        </span>
      )}
    </>
  );
}

const COUNT = "block max-sm:inline max-sm:not-first:before:content-['_·_'/'']";
