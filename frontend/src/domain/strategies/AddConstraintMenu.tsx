import { type ComponentProps, useState } from 'react';
import type { Constraint, ContextField } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { cx } from '@/lib/cx';
import { usePrompt } from '@/lib/prompt';
import { useLatestCallback } from '@/lib/useLatestCallback';
import { ChipItem, DescribedItem, FilteredItems, FilterMenu, ItemGroup, matchesFilter } from '@/ui/FilterMenu';
import { AddIcon, ContextFieldIcon } from '@/ui/icons';
import { newConstraint } from './constraints';
import { NewContextFieldDialog } from './NewContextFieldDialog';

interface Props extends Omit<ComponentProps<typeof FilterMenu>, 'label' | 'children' | 'disabledReason'> {
  /** Undefined while loading. */
  fields: readonly ContextField[] | undefined;
  /** Names of the fields that already have a constraint. */
  used: readonly string[];
  onAdd: (constraint: Constraint) => void;
}

/** Button that opens the fields with their legal values: a value adds a complete constraint, a field one without values. */
export function AddConstraintMenu({ fields, used, onAdd, ...button }: Props) {
  const [newField] = usePrompt<void, string>();
  const canCreate = usePermission('CREATE_CONTEXT_FIELD') === undefined;
  // A change of another user may arrive while the dialog is open.
  const addLatest = useLatestCallback(onAdd);

  async function createField() {
    const name = await newField.ask();
    if (name !== undefined) addLatest(newConstraint(name));
  }

  return (
    <>
      <FilterMenu {...button} label="Add constraint" disabledReason={getDisabledReason(fields)}>
        {(close) => (
          <FieldItems
            fields={fields ?? []}
            used={used}
            onChoose={(constraint) => {
              close();
              onAdd(constraint);
            }}
            onCreate={
              canCreate
                ? () => {
                    close();
                    void createField();
                  }
                : undefined
            }
          />
        )}
      </FilterMenu>
      <NewContextFieldDialog prompt={newField} />
    </>
  );
}

/** Servers without constraints have no context fields. */
function getDisabledReason(fields: Props['fields']): string | undefined {
  if (!fields) return 'The context fields are not loaded yet.';
  return fields.length === 0 ? NO_FIELDS : undefined;
}

const NO_FIELDS = 'This server has no context fields.';

interface FieldItemsProps {
  fields: readonly ContextField[];
  used: readonly string[];
  onChoose: (constraint: Constraint) => void;
  /** Undefined without the permission. */
  onCreate: (() => void) | undefined;
}

function FieldItems({ fields, used, onChoose, onCreate }: FieldItemsProps) {
  const [filter, setFilter] = useState('');
  const choices = listFieldChoices(fields, used, filter);
  return (
    <FilteredItems
      label="Fields and values"
      nouns={['field or value', 'fields and values']}
      emptyText={NO_FIELDS}
      filter={filter}
      onFilter={setFilter}
      total={countChoices(listFieldChoices(fields, used, ''))}
      count={countChoices(choices)}
    >
      {choices.map(({ field, isChoice, values, hidden }) => {
        const chips = values.length > 0 && (
          <div className={cx('flex flex-wrap items-center gap-1.5 pr-2 pb-1.5', isChoice ? 'pl-9' : 'pl-2.5')}>
            {values.map((value) => (
              <ChipItem
                key={value}
                label={`${field.name} is ${value}`}
                onChoose={() => onChoose(newConstraint(field.name, [value]))}
              >
                {value}
              </ChipItem>
            ))}
            {hidden > 0 && <span className="text-label text-muted">and {hidden} more</span>}
          </div>
        );
        if (!isChoice)
          return (
            <ItemGroup key={field.name} label={field.name}>
              {chips}
            </ItemGroup>
          );
        return (
          <div key={field.name}>
            <DescribedItem
              name={field.name}
              description={field.description ?? ''}
              icon={ContextFieldIcon}
              onChoose={() => onChoose(newConstraint(field.name))}
            />
            {chips}
          </div>
        );
      })}
      {onCreate && <DescribedItem name="New context field…" description="" icon={AddIcon} onChoose={onCreate} />}
    </FilteredItems>
  );
}

interface FieldChoice {
  field: ContextField;
  /** The field itself matches the filter. Otherwise only its values are offered. */
  isChoice: boolean;
  /** Legal values that are offered. */
  values: readonly string[];
  /** Number of other values that match. */
  hidden: number;
}

/** A field may have hundreds of values. The filter finds the others. */
const MAX_VALUES = 12;

/**
 * Returns the fields that match the filter, each with its legal values, and those of which only values match. Fields with a
 * constraint are last and without values, because a second constraint rarely compares with a value of the same list.
 */
export function listFieldChoices(
  fields: readonly ContextField[],
  used: readonly string[],
  filter: string,
): FieldChoice[] {
  const isUsed = ({ name }: ContextField) => used.includes(name);
  return [...fields.filter((field) => !isUsed(field)), ...fields.filter(isUsed)].flatMap((field) => {
    const isChoice = matchesFilter(filter, field.name, field.description ?? '');
    const legal = isUsed(field) ? [] : (field.legalValues ?? []);
    const values = isChoice ? legal : legal.filter((value) => matchesFilter(filter, value));
    if (!isChoice && values.length === 0) return [];
    return [{ field, isChoice, values: values.slice(0, MAX_VALUES), hidden: Math.max(0, values.length - MAX_VALUES) }];
  });
}

function countChoices(choices: readonly FieldChoice[]): number {
  return choices.reduce((sum, { isChoice, values, hidden }) => sum + Number(isChoice) + values.length + hidden, 0);
}
