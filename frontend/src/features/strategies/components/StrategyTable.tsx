import { Eye, EyeOff, Trash2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { StrategyDefinition } from '@/api/generated/types';
import { useSubject } from '@/lib/useSubject';
import { paths } from '@/paths';
import { Column } from '@/ui/Column';
import { IconButton } from '@/ui/IconButton';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { useHindrances } from '../permissions';
import { type UseCounts, useUseCounts } from '../useStrategies';
import { StrategyMarks } from './StrategyMarks';
import { type Intent, StrategyQuestion } from './StrategyQuestion';

export function StrategyTable({ definitions }: { definitions: readonly StrategyDefinition[] }) {
  const counts = useUseCounts();
  const { subject, open, ask, close } = useSubject<Intent>();
  return (
    <div className="rounded-card border border-line bg-surface shadow-card">
      <table className="block w-full sm:table sm:table-fixed">
        <thead className="max-sm:sr-only">
          <tr className="border-line border-b">
            <Column>Name</Column>
            <Column className="w-1/4">Parameters</Column>
            <Column className="w-36">Used by</Column>
            <Column className="w-24">
              <VisuallyHidden>Actions</VisuallyHidden>
            </Column>
          </tr>
        </thead>
        <tbody className="block sm:table-row-group">
          {definitions.map((definition) => (
            <Row key={definition.name} definition={definition} counts={counts(definition.name)} onIntent={ask} />
          ))}
        </tbody>
      </table>
      <StrategyQuestion intent={subject} open={open} onClose={close} />
    </div>
  );
}

interface RowProps {
  definition: StrategyDefinition;
  counts: UseCounts;
  onIntent: (intent: Intent) => void;
}

function Row({ definition, counts, onIntent }: RowProps) {
  const hindrances = useHindrances(definition);
  const { name, description, parameters, deprecated } = definition;
  const Icon = deprecated ? Eye : EyeOff;
  return (
    <tr className={ROW}>
      <th scope="row" className="min-w-0 text-left font-normal max-sm:pr-24 sm:py-2.5 sm:pr-2 sm:pl-4">
        <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
          <Link
            to={paths.strategy(name)}
            className="wrap-anywhere inline-flex items-center font-semibold hover:text-accent hover:underline touch:min-h-touch"
          >
            {name}
          </Link>
          <StrategyMarks definition={definition} />
        </span>
        <span className="wrap-anywhere line-clamp-2 text-muted text-secondary">{description || 'Unknown'}</span>
      </th>
      <td className="wrap-anywhere min-w-0 text-secondary sm:px-2 sm:py-2.5">
        <span className="text-muted sm:hidden">Parameters: </span>
        {parameters.length > 0 ? (
          parameters.map((parameter) => parameter.name).join(', ')
        ) : (
          <span className="text-faint">none</span>
        )}
      </td>
      <td className="text-muted text-secondary tabular-nums sm:px-2 sm:py-2.5">
        <Uses counts={counts} />
      </td>
      <td className="max-sm:absolute max-sm:top-1 max-sm:right-1 sm:py-1.5 sm:pr-3">
        <span className="flex justify-end">
          <IconButton
            label={`${deprecated ? 'Reactivate' : 'Deprecate'} ${name}`}
            icon={<Icon size={16} strokeWidth={1.75} aria-hidden="true" />}
            disabledReason={hindrances.deprecate}
            onClick={() => onIntent({ deed: deprecated ? 'reactivate' : 'deprecate', definition })}
          />
          <IconButton
            label={`Delete ${name}`}
            icon={<Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />}
            disabledReason={hindrances.remove}
            onClick={() => onIntent({ deed: 'remove', definition })}
          />
        </span>
      </td>
    </tr>
  );
}

function Uses({ counts: { toggles, applications } }: { counts: UseCounts }) {
  return (
    <>
      {toggles !== undefined && <span className="block max-sm:mr-4 max-sm:inline">{amount(toggles, 'toggle')}</span>}
      {applications !== undefined && <span className="block max-sm:inline">{amount(applications, 'application')}</span>}
    </>
  );
}

function amount(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

const ROW =
  'not-first:border-line not-first:border-t align-top max-sm:relative max-sm:grid max-sm:gap-y-1 max-sm:p-4 sm:table-row';
