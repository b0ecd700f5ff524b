import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useDisabledReason } from '@/api/permissions';
import { useUnsupportedServer } from '@/api/unsupportedServer';
import { cx } from '@/lib/cx';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/buttonClass';
import type { Column } from '@/ui/Column';
import { AddIcon } from '@/ui/icons';
import { PlainTable } from '@/ui/PlainTable';
import type { RequestedItem } from '../missing';

interface Props {
  noun: 'toggle' | 'strategy';
  items: readonly RequestedItem[];
  /** Form and permission to create an item. */
  create: { href: (name: string) => string; permission: string };
  /** Link to show instead if an item cannot be created. */
  alternative?: (name: string) => ReactNode;
}

const columns: readonly Column<RequestedItem>[] = [
  { header: 'Name', width: '40%', cell: ({ name }) => name },
  { header: 'Used by', cell: ({ requestedBy }) => <ApplicationLinks names={requestedBy} /> },
];

export function MissingTable({ noun, items, create, alternative }: Props) {
  // Detects a server whose toggles cannot be created here.
  useUnsupportedServer();
  const canCreate = useDisabledReason(create.permission) === undefined;
  return (
    <PlainTable
      label={noun === 'toggle' ? 'Missing toggles' : 'Missing strategies'}
      columns={columns}
      rows={items}
      rowKey={({ name }) => name}
      actions={({ name }) =>
        alternative?.(name) || (canCreate && <CreateItemLink to={create.href(name)} name={name} />)
      }
      actionsWidth="9rem"
    />
  );
}

function CreateItemLink({ to, name }: { to: string; name: string }) {
  return (
    <Link to={to} aria-label={`Create ${name}`} className={cx(buttonClass({ size: 'small' }), 'max-sm:m-2')}>
      <AddIcon size={15} />
      Create
    </Link>
  );
}

const MAX_NAMES = 6;

function ApplicationLinks({ names }: { names: readonly string[] }) {
  const more = names.length - MAX_NAMES;
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1">
      {names.slice(0, MAX_NAMES).map((name) => (
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
