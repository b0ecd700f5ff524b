import { type KeyboardEvent, useId, useState } from 'react';
import { context as contextFields } from '@/api/endpoints';
import { useNewerServer } from '@/api/environment';
import type { ContextField } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { isEnter } from '@/lib/keyboard';
import { useSearch } from '@/lib/useSearch';
import { useForm } from '@/shared/useForm';
import { Button } from '@/ui/Button';
import { DateTimeField, toLocalTime } from '@/ui/DateTimeField';
import { AddIcon } from '@/ui/icons';
import { TextField } from '@/ui/TextField';
import { useIsNarrow } from '@/ui/useIsNarrow';
import { type ChangeLabContext, type LabContext, withField } from './labContext';

interface Props {
  context: LabContext;
  /**
   * Names of the fields that decide. They are shown first, and the others on demand. By default, most are shown, and on
   * phones those that decide most often.
   */
  deciding?: readonly string[] | undefined;
  onChange: ChangeLabContext;
}

/** Form for the context of an evaluation. A text applies after a pause, on Enter, and when the field is left. */
export function ContextForm({ context, deciding, onChange }: Props) {
  const defined = useRead(contextFields).data ?? NONE;
  const [added, setAdded] = useState<readonly string[]>([]);
  const environments = useNewerServer()?.environments.map(({ name }) => name) ?? [];
  const isNarrow = useIsNarrow();
  const shownFirst = deciding ?? (isNarrow ? PHONE_FIELDS : undefined);
  const { main, more } = getLabFields(defined, environments, context, { added, deciding: shownFirst });
  const render = (field: LabField) => (
    <ContextValue key={field.name} {...field} value={context[field.name] ?? ''} onChange={onChange} />
  );
  const time = context[CURRENT_TIME];
  const hasMore = more.some(({ name }) => context[name] !== undefined) || time !== undefined;
  // Only at first: clearing the last of these fields must not hide it.
  const [isOpen] = useState(hasMore);
  const shown = [...main, ...more].map(({ name }) => name);
  return (
    <div className="grid gap-4">
      <div className={FIELDS}>{main.map(render)}</div>
      <details open={isOpen}>
        <summary className="cursor-pointer font-medium text-muted text-secondary hover:text-text touch:min-h-touch touch:content-center">
          More fields
        </summary>
        <div className="grid gap-4 pt-3">
          <div className={FIELDS}>
            {more.map(render)}
            <div className="col-span-2">
              <DateTimeField
                label={CURRENT_TIME}
                initialValue={toLocalTime(time)}
                help="Default: now"
                onChange={(local) => onChange((now) => withField(now, CURRENT_TIME, fromLocalTime(local)))}
              />
            </div>
          </div>
          <AddField shown={[...shown, CURRENT_TIME]} onAdd={(name) => setAdded([...added, name])} />
        </div>
      </details>
    </div>
  );
}

const NONE: readonly ContextField[] = [];
const NO_NAMES: readonly string[] = [];
const PHONE_FIELDS = ['userId', 'sessionId'];
/** The fields fill the row: one field alone is as wide as the panel of a toggle. */
const FIELDS =
  'grid grid-cols-[repeat(auto-fit,minmax(6.5rem,1fr))] items-start gap-3 lg:grid-cols-[repeat(auto-fit,minmax(8rem,1fr))]';
/** Enough to choose from; more would delay typing. */
const MAX_SUGGESTIONS = 200;

interface ValueProps extends LabField {
  value: string;
  onChange: ChangeLabContext;
}

function ContextValue({ name, suggestions, value, onChange }: ValueProps) {
  const id = useId();
  const { onCommit, ...text } = useSearch(value, (next) => onChange((now) => withField(now, name, next)));
  const commit = () => onCommit(text.value);
  return (
    <div className="min-w-0">
      <TextField
        label={name}
        {...text}
        autoComplete="off"
        spellCheck={false}
        list={suggestions.length > 0 ? id : undefined}
        onBlur={commit}
        onKeyDown={onEnter(commit)}
      />
      {suggestions.length > 0 && (
        <datalist id={id}>
          {suggestions.slice(0, MAX_SUGGESTIONS).map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </div>
  );
}

interface AddFieldProps {
  /** Names of the fields of the form. */
  shown: readonly string[];
  onAdd: (name: string) => void;
}

function AddField({ shown, onAdd }: AddFieldProps) {
  const form = useForm({
    start: { name: '' },
    rules: ({ name }) => ({ name: validateAddedField(name.trim(), shown) }),
    save: async ({ name }) => {
      onAdd(name.trim());
      form.restart({ name: '' });
    },
    // The context can be changed without saving.
    guardsLeave: false,
  });
  return (
    <form {...form.formProps} className="flex max-w-90 items-start gap-2">
      <div className="min-w-0 flex-1">
        <TextField
          label="Other field"
          placeholder="Name"
          autoComplete="off"
          spellCheck={false}
          {...form.bind('name')}
        />
      </div>
      {/* Below the label of the field. */}
      <Button type="submit" icon={<AddIcon />} className="mt-6">
        Add field
      </Button>
    </form>
  );
}

function onEnter(act: () => void) {
  return (event: KeyboardEvent) => {
    if (isEnter(event.nativeEvent)) act();
  };
}

function fromLocalTime(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}

interface LabField {
  name: string;
  /** Values to suggest. */
  suggestions: readonly string[];
}

/** Fields that all client libraries know. The first ones decide most often. */
const IDS = ['userId', 'sessionId', 'remoteAddress'];
const SURROUNDINGS = ['appName', 'environment'];
/** Time of the evaluation. By default, the time of the server. */
const CURRENT_TIME = 'currentTime';

/**
 * Returns the fields that are always shown, and those that are shown on demand unless they have a value. `environments`
 * are those of the server.
 */
export function getLabFields(
  defined: readonly ContextField[],
  environments: readonly string[],
  context: LabContext,
  { added = NO_NAMES, deciding }: { added?: readonly string[]; deciding?: readonly string[] | undefined } = {},
): { main: LabField[]; more: LabField[] } {
  const known = [...defined].sort((a, b) => a.sortOrder - b.sortOrder).map(({ name }) => name);
  const builtIn = [...IDS, ...SURROUNDINGS, CURRENT_TIME];
  const own = [...new Set([...known, ...Object.keys(context), ...added])].filter((name) => !builtIn.includes(name));
  const legalValues = (name: string) => defined.find((field) => field.name === name)?.legalValues;
  const toField = (name: string): LabField => ({
    name,
    suggestions: legalValues(name) ?? (name === 'environment' ? environments : []),
  });
  if (!deciding) return { main: [...IDS, ...own].map(toField), more: SURROUNDINGS.map(toField) };
  const first = deciding.filter((name) => name !== CURRENT_TIME);
  const others = [...IDS, ...own, ...SURROUNDINGS].filter((name) => !first.includes(name));
  return { main: first.map(toField), more: others.map(toField) };
}

/** Returns why a field cannot be added. */
export function validateAddedField(name: string, shown: readonly string[]): string | undefined {
  if (name === '') return 'Enter a name.';
  // Client libraries send other fields in this object.
  if (name === 'properties') return 'Enter the name of a field inside "properties".';
  return shown.includes(name) ? 'This field already exists.' : undefined;
}
