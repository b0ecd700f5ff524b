import { Eye, EyeOff, Trash2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { StrategyDefinition } from '@/api/generated/types';
import { formatCount } from '@/lib/formatCount';
import { useLocale } from '@/lib/locale';
import { paths } from '@/paths';
import { ColumnHeader } from '@/ui/ColumnHeader';
import { IconButton } from '@/ui/IconButton';
import { ActionColumn, PlainCell, PlainRow, PlainTable } from '@/ui/PlainTable';
import { type UsageCounts, useUsageCounts } from '../useStrategies';
import { useStrategyDisabledReasons } from '../useStrategyDisabledReasons';
import { StrategyBadges } from './StrategyBadges';
import { type PendingAction, useStrategyActions } from './useStrategyActions';

export function StrategyTable({ definitions }: { definitions: readonly StrategyDefinition[] }) {
  const counts = useUsageCounts();
  const { ask, dialog } = useStrategyActions();
  return (
    <>
      <PlainTable
        label="Strategies"
        columns={
          <>
            <ColumnHeader>Name</ColumnHeader>
            <ColumnHeader className="w-1/4">Parameters</ColumnHeader>
            <ColumnHeader className="w-36">Used by</ColumnHeader>
            <ActionColumn />
          </>
        }
        rows={definitions}
      >
        {(definition) => (
          <PlainRow
            key={definition.name}
            heading={<Name definition={definition} />}
            actions={<Actions definition={definition} onAction={ask} />}
          >
            <PlainCell>
              <span className="text-muted sm:hidden">Parameters: </span>
              {definition.parameters.map(({ name }) => name).join(', ') || <span className="text-faint">none</span>}
            </PlainCell>
            <PlainCell className="text-muted tabular-nums">
              <Uses counts={counts(definition.name)} />
            </PlainCell>
          </PlainRow>
        )}
      </PlainTable>
      {dialog}
    </>
  );
}

function Name({ definition }: { definition: StrategyDefinition }) {
  const { name, description } = definition;
  return (
    <>
      <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
        <Link
          to={paths.strategy(name)}
          className="inline-flex min-w-0 items-center hover:text-accent hover:underline touch:min-h-touch"
        >
          {name}
        </Link>
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
  const Icon = deprecated ? Eye : EyeOff;
  return (
    <>
      <IconButton
        label={`${deprecated ? 'Reactivate' : 'Deprecate'} ${name}`}
        icon={<Icon size={16} strokeWidth={1.75} aria-hidden="true" />}
        disabledReason={disabledReasons.deprecate}
        onClick={() => onAction({ action: deprecated ? 'reactivate' : 'deprecate', definition })}
      />
      <IconButton
        label={`Delete ${name}`}
        icon={<Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />}
        disabledReason={disabledReasons.remove}
        onClick={() => onAction({ action: 'remove', definition })}
      />
    </>
  );
}

function Uses({ counts: { toggles, applications } }: { counts: UsageCounts }) {
  const locale = useLocale();
  return (
    <>
      {toggles !== undefined && <span className={COUNT}>{formatCount(toggles, 'toggle', locale)}</span>}
      {applications !== undefined && <span className={COUNT}>{formatCount(applications, 'application', locale)}</span>}
    </>
  );
}

const COUNT = 'block max-sm:mr-4 max-sm:inline';
