import type { ComponentProps } from 'react';
import type { Constraint, ContextField, ListedSegment } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { usePrompt } from '@/lib/prompt';
import { useLatestCallback } from '@/lib/useLatestCallback';
import { ChipItem, DescribedItem, FilterMenu, ItemGroup, ItemRow, matchesFilter } from '@/ui/FilterMenu';
import { AddIcon, ClockIcon, SegmentIcon } from '@/ui/icons';
import { newConstraint, useOperators } from './constraints';
import { NewContextFieldDialog } from './NewContextFieldDialog';
import { SCHEDULE_OPERATOR } from './schedule';

interface Props extends Omit<ComponentProps<typeof FilterMenu>, 'label' | 'nouns' | 'children' | 'disabledReason'> {
  /** Undefined while loading. */
  fields: readonly ContextField[] | undefined;
  /** Names of the fields that already have a constraint. */
  used: readonly string[];
  onAdd: (constraint: Constraint) => void;
  /** Asks from when and until when the constraints hold. */
  onSchedule: () => void;
  /** The segments that can be added; undefined where there are none. */
  segments?: SegmentChoices | undefined;
}

interface SegmentChoices {
  offered: readonly Pick<ListedSegment, 'id' | 'name' | 'description'>[];
  /** Reason why segments are missing. */
  problem: string | undefined;
  onAdd: (id: number) => void;
  /** Opens the form for a new segment. Undefined without the permission. */
  onCreate: (() => void) | undefined;
}

/** Button that opens the fields with their legal values: a value adds a complete constraint, a field one without values. */
export function AddConstraintMenu({ fields, used, onAdd, onSchedule, segments, ...button }: Props) {
  const [newField] = usePrompt<string, string>();
  const canSchedule = useOperators().includes(SCHEDULE_OPERATOR);
  const canCreate = usePermission('CREATE_CONTEXT_FIELD') === undefined;
  // A change of another user may arrive while the dialog is open.
  const addLatest = useLatestCallback(onAdd);

  async function createField(typed: string) {
    const name = await newField.ask(typed);
    if (name !== undefined) addLatest(newConstraint(name));
  }

  function find(filter: string) {
    const choices = listFieldChoices(fields ?? [], used, filter);
    const shown = (segments?.offered ?? []).filter(({ name, description }) =>
      matchesFilter(filter, `Segment ${name}`, description ?? ''),
    );
    const hasSchedule = matchesFilter(filter, SCHEDULE, ...SCHEDULE_WORDS);
    const newName = filter === '' ? 'New context field…' : `New context field ${filter}…`;
    return {
      names: [
        ...choices.flatMap(listNames),
        ...shown.map(toItemName),
        ...(hasSchedule ? [SCHEDULE] : []),
        ...(canCreate ? [newName] : []),
        ...(segments?.onCreate ? [NEW_SEGMENT] : []),
      ],
      count: countChoices(choices) + shown.length + Number(hasSchedule),
      items: (
        <>
          {choices.map((choice) => (
            <FieldItems key={choice.field.name} {...choice} onChoose={onAdd} />
          ))}
          {shown.map((segment) => (
            <ItemRow key={segment.id}>
              <DescribedItem
                name={toItemName(segment)}
                description={segment.description}
                icon={SegmentIcon}
                onChoose={() => segments?.onAdd(segment.id)}
              />
            </ItemRow>
          ))}
          {hasSchedule && (
            <ItemRow>
              <DescribedItem
                name={SCHEDULE}
                description={canSchedule ? 'Between two times' : NO_SCHEDULE}
                icon={ClockIcon}
                isDisabled={!canSchedule}
                onChoose={onSchedule}
              />
            </ItemRow>
          )}
          {canCreate && (
            <ItemRow>
              <DescribedItem name={newName} icon={AddIcon} onChoose={() => void createField(filter)} />
            </ItemRow>
          )}
          {segments?.onCreate && (
            <ItemRow>
              <DescribedItem
                name={NEW_SEGMENT}
                description="In a new tab"
                icon={AddIcon}
                onChoose={segments.onCreate}
              />
            </ItemRow>
          )}
        </>
      ),
    };
  }

  return (
    <>
      <FilterMenu
        {...button}
        label="Add constraint"
        nouns={['field or value', 'fields and values']}
        isGrid
        header={segments?.problem && <p className={PROBLEM}>{segments.problem}</p>}
        disabledReason={getDisabledReason(fields)}
      >
        {find}
      </FilterMenu>
      <NewContextFieldDialog prompt={newField} />
    </>
  );
}

const PROBLEM = 'wrap-anywhere border-line border-b px-3.5 py-2.5 text-secondary text-warn';

const NEW_SEGMENT = 'New segment…';

const SCHEDULE = 'From / until…';
const SCHEDULE_WORDS = ['schedule', 'date', 'time', 'start', 'end'];
const NO_SCHEDULE = 'This server compares no times. The embedded service and Unleash 5 to 8.2 do.';

const toItemName = ({ name }: { name: string }) => `Segment ${name}`;

/** Servers without constraints have no context fields. */
function getDisabledReason(fields: Props['fields']): string | undefined {
  if (!fields) return 'The context fields are not loaded yet.';
  return fields.length === 0 ? 'This server has no context fields.' : undefined;
}

interface FieldItemsProps extends FieldChoice {
  onChoose: (constraint: Constraint) => void;
}

function FieldItems({ field, isChoice, values, hidden, onChoose }: FieldItemsProps) {
  const { name, description } = field;
  const chips = values.length > 0 && (
    <ItemRow className="flex flex-wrap items-center gap-1.5 pr-2 pb-1.5 pl-2.5">
      {values.map((value) => (
        <ChipItem key={value} label={nameValue(name, value)} onChoose={() => onChoose(newConstraint(name, [value]))}>
          {value}
        </ChipItem>
      ))}
      {hidden > 0 && <span className="text-label text-muted">and {hidden} more</span>}
    </ItemRow>
  );
  if (!isChoice) return <ItemGroup label={name}>{chips}</ItemGroup>;
  return (
    <>
      <ItemRow>
        <DescribedItem name={name} description={description} onChoose={() => onChoose(newConstraint(name))} />
      </ItemRow>
      {chips}
    </>
  );
}

const nameValue = (field: string, value: string) => `${field} is ${value}`;

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
 * Returns the fields that match the filter, each with its legal values, and those of which only values match. Names and values that
 * begin with the filter are first, because Enter chooses the first one. Otherwise, fields with a constraint are last and without
 * values, because a second constraint rarely compares with a value of the same list.
 */
export function listFieldChoices(
  fields: readonly ContextField[],
  used: readonly string[],
  filter: string,
): FieldChoice[] {
  const isUsed = ({ name }: ContextField) => used.includes(name);
  const begins = (text: string) => filter !== '' && text.toLowerCase().startsWith(filter.trim().toLowerCase());
  const found = [...fields.filter((field) => !isUsed(field)), ...fields.filter(isUsed)].flatMap((field) => {
    const legal = isUsed(field) ? [] : (field.legalValues ?? []);
    const beginning = begins(field.name) ? [] : legal.filter(begins);
    const isChoice = beginning.length === 0 && matchesFilter(filter, field.name, field.description ?? '');
    const matching = isChoice ? legal : legal.filter((value) => matchesFilter(filter, value));
    const values = beginning.length > 0 ? beginning : matching;
    if (!isChoice && values.length === 0) return [];
    const hidden = Math.max(0, values.length - MAX_VALUES);
    return [{ field, isChoice, values: values.slice(0, MAX_VALUES), hidden }];
  });
  const isFirst = ({ field, isChoice, values }: FieldChoice) =>
    begins(field.name) || (!isChoice && values.some(begins));
  return [...found.filter(isFirst), ...found.filter((choice) => !isFirst(choice))];
}

function countChoices(choices: readonly FieldChoice[]): number {
  return choices.reduce((sum, { isChoice, values, hidden }) => sum + Number(isChoice) + values.length + hidden, 0);
}

/** Returns the names of the items of a field. */
function listNames({ field: { name }, isChoice, values }: FieldChoice): string[] {
  return [...(isChoice ? [name] : []), ...values.map((value) => nameValue(name, value))];
}
