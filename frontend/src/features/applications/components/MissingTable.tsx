import type { ReactNode } from 'react';
import type { PermissionName } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { useUnsupportedServer } from '@/api/unsupportedServer';
import { andMore } from '@/lib/joinFirst';
import { paths } from '@/paths';
import { LinkButton } from '@/shared/LinkButton';
import { TextLink } from '@/shared/TextLink';
import type { Column } from '@/ui/Column';
import { AddIcon } from '@/ui/icons';
import { PlainTable } from '@/ui/PlainTable';
import type { RequestedItem } from '../missing';

interface Props {
  noun: 'toggle' | 'strategy';
  items: readonly RequestedItem[];
  /** Form and permission to create an item. */
  create: { href: (name: string) => string; permission: PermissionName };
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
  const canCreate = usePermission(create.permission) === undefined;
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
    <LinkButton to={to} aria-label={`Create ${name}`} size="small" className="max-sm:mr-2" icon={<AddIcon size={15} />}>
      Create
    </LinkButton>
  );
}

const MAX_NAMES = 6;

function ApplicationLinks({ names }: { names: readonly string[] }) {
  const more = andMore(names, MAX_NAMES);
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1 max-sm:inline-flex">
      {names.slice(0, MAX_NAMES).map((name) => (
        <li key={name} className="min-w-0">
          <TextLink to={paths.application(name)} tone="accent" className="wrap-anywhere">
            {name}
          </TextLink>
        </li>
      ))}
      {more && <li className="text-muted">{more}</li>}
    </ul>
  );
}
