import type { ContextField, Toggle } from '@/api/generated/types';
import { useTogglesWithStrategies } from '@/api/reads';
import { andMore } from '@/lib/text';
import { paths, sections } from '@/paths';
import { EntityListPage } from '@/shared/EntityListPage';
import { TextLink } from '@/shared/TextLink';
import { Chip } from '@/ui/Chip';
import { type Column, textColumn } from '@/ui/Column';
import { EmptyState } from '@/ui/EmptyState';
import { ContextFieldIcon } from '@/ui/icons';
import { NameList } from '@/ui/NameList';
import { contextFieldResource } from './contextFields';
import { builtInFields } from './rules';

const MAX_VALUES = 8;

const columns: readonly Column<ContextField>[] = [
  textColumn('Name', ({ name }) => name, {
    width: '20%',
    cell: ({ name }) => <Name name={name} />,
  }),
  textColumn('Description', ({ description }) => description, { className: 'text-muted' }),
  {
    header: 'Legal values',
    width: '20%',
    className: 'text-muted',
    phoneLabel: 'Values:',
    cell: ({ legalValues = [] }) =>
      `${legalValues.slice(0, MAX_VALUES).join(' · ')} ${andMore(legalValues, MAX_VALUES)}`.trim(),
    search: ({ legalValues = [] }) => legalValues,
    searchName: 'legal value',
  },
  { header: 'Stickiness', width: '6rem', cell: ({ stickiness }) => stickiness && <Chip tone="accent">Sticky</Chip> },
];

export function ContextFieldListPage() {
  return (
    <EntityListPage
      resource={contextFieldResource}
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

/** Sentence that names the toggles with the field. */
function FieldUsage({ field }: { field: string }) {
  const { data, error } = useTogglesWithStrategies();
  if (error && !data) return 'The toggles that use it could not be loaded.';
  if (!data) return 'Loading the toggles that use it…';
  const names = togglesUsingField(field, data.features);
  if (names.length === 0) return 'No active toggle uses it.';
  return (
    <>
      These toggles use it and will not be changed: <NameList names={names} />.
    </>
  );
}

/** Names of the toggles with the field in a constraint, stickiness or override. */
export function togglesUsingField(field: string, toggles: readonly Toggle[]): string[] {
  return toggles.filter((toggle) => usesField(field, toggle)).map(({ name }) => name);
}

function usesField(field: string, { strategies, variants }: Toggle): boolean {
  return (
    strategies.some(
      ({ constraints, parameters }) =>
        constraints?.some(({ contextName }) => contextName === field) || parameters?.['stickiness'] === field,
    ) ||
    (variants ?? []).some(
      ({ stickiness, overrides }) =>
        stickiness === field || overrides?.some(({ contextName }) => contextName === field),
    )
  );
}
