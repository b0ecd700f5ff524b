import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useDisabledReason } from '@/api/permissions';
import { useUnsupportedServer } from '@/api/unsupportedServer';
import { cx } from '@/lib/cx';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/buttonClass';
import { ColumnHeader } from '@/ui/ColumnHeader';
import { ActionColumn, PlainCell, PlainRow, PlainTable } from '@/ui/PlainTable';
import type { MissingItem } from '../missing';

interface Props {
  noun: 'toggle' | 'strategy';
  things: readonly MissingItem[];
  /** Where one is created, and who may. */
  create: { address: (name: string) => string; permission: string };
  /** Where one that cannot be created is found instead. */
  elsewhere?: (name: string) => ReactNode;
}

export function MissingTable({ noun, things, create, elsewhere }: Props) {
  // Detects a server on which no toggle can be created.
  useUnsupportedServer();
  const mayCreate = useDisabledReason(create.permission) === undefined;
  return (
    <PlainTable
      label={noun === 'toggle' ? 'Missing toggles' : 'Missing strategies'}
      columns={
        <>
          <ColumnHeader className="w-2/5">Name</ColumnHeader>
          <ColumnHeader>Asked for by</ColumnHeader>
          <ActionColumn className="w-36" />
        </>
      }
      rows={things}
    >
      {({ name, requestedBy }) => (
        <PlainRow
          key={name}
          heading={name}
          actions={elsewhere?.(name) || (mayCreate && <CreateItemLink to={create.address(name)} name={name} />)}
        >
          <PlainCell>
            <ApplicationLinks names={requestedBy} />
          </PlainCell>
        </PlainRow>
      )}
    </PlainTable>
  );
}

function CreateItemLink({ to, name }: { to: string; name: string }) {
  return (
    <Link to={to} aria-label={`Create ${name}`} className={cx(buttonClass({ size: 'small' }), 'max-sm:m-2')}>
      <Plus size={15} strokeWidth={1.75} aria-hidden="true" />
      Create
    </Link>
  );
}

const NAMED = 6;

function ApplicationLinks({ names }: { names: readonly string[] }) {
  const more = names.length - NAMED;
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1">
      {names.slice(0, NAMED).map((name) => (
        <li key={name} className="min-w-0">
          <Link to={paths.application(name)} className="wrap-anywhere text-accent hover:underline">
            {name}
          </Link>
        </li>
      ))}
      {more > 0 && <li className="text-muted">and {more} more</li>}
    </ul>
  );
}
