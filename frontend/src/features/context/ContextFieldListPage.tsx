import type { ContextField } from '@/api/generated/types';
import { andMore } from '@/lib/joinFirst';
import { paths, sections } from '@/paths';
import { EntityListPage } from '@/shared/EntityListPage';
import { TextLink } from '@/shared/TextLink';
import { Chip } from '@/ui/Chip';
import { type Column, textColumn } from '@/ui/Column';
import { EmptyState } from '@/ui/EmptyState';
import { ContextFieldIcon } from '@/ui/icons';
import { FieldUsage } from './components/FieldUsage';
import { contextFields } from './contextFields';
import { builtInFields } from './rules';

const MAX_VALUES = 8;

const columns: readonly Column<ContextField>[] = [
  textColumn('Name', ({ name }) => name, {
    width: '20%',
    cell: ({ name }) => <Name name={name} />,
    copyHeader: 'Context field',
    href: ({ name }) => paths.editContextField(name),
  }),
  textColumn('Description', ({ description }) => description, { className: 'text-muted' }),
  {
    header: 'Legal values',
    width: '20%',
    className: 'text-muted',
    phoneLabel: 'Values:',
    cell: ({ legalValues = [] }) =>
      `${legalValues.slice(0, MAX_VALUES).join(' · ')} ${andMore(legalValues, MAX_VALUES)}`.trim(),
    copy: ({ legalValues = [] }) => legalValues.join(', '),
    search: ({ legalValues = [] }) => legalValues,
    searchName: 'legal value',
  },
  { header: 'Stickiness', width: '6rem', cell: ({ stickiness }) => stickiness && <Chip tone="accent">Sticky</Chip> },
];

export function ContextFieldListPage() {
  return (
    <EntityListPage
      resource={contextFields}
      title={sections.contextFields.label}
      within={sections.strategies}
      columns={columns}
      nameOf={({ name }) => name}
      create={{ to: paths.createContextField(), permission: 'CREATE_CONTEXT_FIELD' }}
      edit={{ to: ({ name }) => paths.editContextField(name), permission: 'UPDATE_CONTEXT_FIELD' }}
      remove={{
        permission: 'DELETE_CONTEXT_FIELD',
        describe: ({ name }) => ({
          name,
          consequences: (
            <>
              can no longer be selected. {builtInFields.includes(name) && 'It is built-in: client SDKs still send it. '}
              <FieldUsage field={name} />
            </>
          ),
        }),
      }}
      empty={
        <EmptyState icon={<ContextFieldIcon size={20} />} title="No context fields">
          Applications send context such as the user or the region. Create a context field to use it in constraints and
          rollouts.
        </EmptyState>
      }
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
