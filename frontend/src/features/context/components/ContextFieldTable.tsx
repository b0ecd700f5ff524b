import type { ContextField } from '@/api/generated/types';
import { useDisabledReason } from '@/api/permissions';
import { paths } from '@/paths';
import { RowActions } from '@/shared/RowActions';
import { TextLink } from '@/shared/TextLink';
import { Chip } from '@/ui/Chip';
import { type Column, textColumn } from '@/ui/Column';
import { PlainTable } from '@/ui/PlainTable';
import { builtInFields } from '../rules';

interface Props {
  fields: readonly ContextField[];
  onRemove: (field: ContextField) => void;
}

export const contextFieldColumns: readonly Column<ContextField>[] = [
  textColumn('Name', ({ name }) => name, {
    width: '25%',
    cell: ({ name }) => <Name name={name} />,
    copyHeader: 'Context field',
    href: ({ name }) => paths.editContextField(name),
  }),
  textColumn('Description', ({ description }) => description, { className: 'text-muted' }),
  {
    header: 'Legal values',
    width: '25%',
    className: 'text-muted',
    cell: ({ legalValues = [] }) =>
      legalValues.length > 0 && <span className="line-clamp-2">{legalValues.join(' · ')}</span>,
    copy: ({ legalValues = [] }) => legalValues.join(', '),
    search: ({ legalValues = [] }) => legalValues,
    searchName: 'legal value',
  },
  { header: 'Stickiness', width: '6rem', cell: ({ stickiness }) => stickiness && <Chip tone="accent">Sticky</Chip> },
];

export function ContextFieldTable({ fields, onRemove }: Props) {
  const editDisabledReason = useDisabledReason('UPDATE_CONTEXT_FIELD');
  const removeDisabledReason = useDisabledReason('DELETE_CONTEXT_FIELD');
  return (
    <PlainTable
      label="Context fields"
      columns={contextFieldColumns}
      rows={fields}
      rowKey={({ name }) => name}
      actions={(field) => (
        <RowActions
          name={field.name}
          edit={{ to: paths.editContextField(field.name), disabledReason: editDisabledReason }}
          removeDisabledReason={removeDisabledReason}
          onRemove={() => onRemove(field)}
        />
      )}
    />
  );
}

function Name({ name }: { name: string }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
      <TextLink to={paths.editContextField(name)} className="min-w-0">
        {name}
      </TextLink>
      {builtInFields.includes(name) && <Chip>Built-in</Chip>}
    </span>
  );
}
