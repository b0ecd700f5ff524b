import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Constraint, ContextField } from '@/api/generated/types';
import { formatMoment } from '@/api/pastView';
import { usePermission } from '@/api/permissions';
import type { FirstVersions } from '@/domain/evaluation/sdkVersion';
import { isInOptions } from '@/lib/isInOptions';
import { useLocale } from '@/lib/locale';
import { usePrompt } from '@/lib/prompt';
import { useRequestedFocus } from '@/lib/requestedFocus';
import { useLatestCallback } from '@/lib/useLatestCallback';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Checkbox';
import { ChipsField } from '@/ui/ChipsField';
import { IconButton } from '@/ui/IconButton';
import { RemoveIcon } from '@/ui/icons';
import { SelectField } from '@/ui/Select';
import { TextField } from '@/ui/TextField';
import { ConstraintSentence } from './ConstraintSentence';
import {
  changeOperator,
  getReadOnlyReason,
  getUnknownFieldWarning,
  useOperators,
  validateConstraint,
} from './constraints';
import { describeMissingValues, getOperatorLabel } from './describeConstraint';
import { NewContextFieldDialog } from './NewContextFieldDialog';
import { OldLibraryWarning } from './OldLibraryWarning';
import {
  BASIC_OPERATORS,
  findFirstVersions,
  findOperator,
  getOperatorGroup,
  isRecentOperator,
  type ValueKind,
} from './operators';
import { isTime } from './schedule';

interface Props {
  constraints: readonly Constraint[];
  /** Undefined while loading. */
  fields: readonly ContextField[] | undefined;
  /** Names of the applications that evaluate the constraints, which are checked for old client libraries. */
  apps?: readonly string[] | undefined;
  /** Which constraints the user has opened in the sentence of the rule. Without a sentence, all are open. */
  opening?: { isOpen: (index: number) => boolean; onOpenChange: (index: number, isOpen: boolean) => void };
  onChange: (constraints: Constraint[]) => void;
  onRemove: (index: number) => void;
}

/** Editors of constraints. */
export function ConstraintsEditor({ constraints, fields, apps = NONE, opening, onChange, onRemove }: Props) {
  const used = constraints.map(({ contextName }) => contextName);
  return (
    <div className="grid min-w-0 gap-2 empty:hidden">
      {constraints.map((constraint, index) => (
        <ConstraintRow
          // biome-ignore lint/suspicious/noArrayIndexKey: constraints have no name, may be alike, and never move.
          key={index}
          constraint={constraint}
          number={index + 1}
          fields={fields}
          used={used}
          apps={apps}
          isOpen={opening?.isOpen(index) ?? true}
          onOpenChange={opening && ((next) => opening.onOpenChange(index, next))}
          onChange={(next) => onChange(constraints.map((one, at) => (at === index ? next : one)))}
          onRemove={() => onRemove(index)}
        />
      ))}
    </div>
  );
}

/** Scrolls to the editor of a constraint that was added, and focuses its values if it has none. */
export function showNewConstraint(editors: Element | null, number: number, { values }: Constraint): void {
  const editor = editors?.querySelector(`[aria-label="Constraint ${number}"]`);
  // The whole editor, above the bar of unsaved changes.
  editor?.scrollIntoView({ block: 'nearest' });
  if (values?.length) return;
  editor?.querySelector<HTMLElement>('[data-values] input')?.focus({ preventScroll: true });
}

/**
 * Returns a function that finds the word of the sentence that opens the editor of a constraint, when the editor is closed; it
 * finds nothing while the editor is open, or open again. `part` is the editor or a field of it.
 */
export function findWordOfConstraint(part: Element | null): () => HTMLElement | null | undefined {
  const editor = part?.closest('[data-constraint-editor]');
  const rule = editor?.closest('fieldset:has([data-constraint])');
  const number = editor?.getAttribute('data-constraint-editor');
  return () =>
    rule?.querySelector(`[data-constraint-editor="${number}"]`)
      ? undefined
      : rule?.querySelector<HTMLElement>(`[data-constraint~="${number}"]`);
}

interface ConstraintRowProps {
  constraint: Constraint;
  number: number;
  /** Undefined while loading. */
  fields: readonly ContextField[] | undefined;
  /** Names of the fields of all constraints of the strategy. */
  used: readonly string[];
  apps: readonly string[];
  isOpen: boolean;
  /** Undefined if it cannot be closed. */
  onOpenChange: ((isOpen: boolean) => void) | undefined;
  onChange: (constraint: Constraint) => void;
  onRemove: () => void;
}

/** Editor of one constraint. Without values, it is always open, because it cannot be saved. */
function ConstraintRow({ constraint, number, onRemove, ...props }: ConstraintRowProps) {
  const row = useRef<HTMLFieldSetElement>(null);
  const operators = useOperators();
  const readOnlyReason = getReadOnlyReason(constraint, operators);
  const isEditing = props.isOpen || validateConstraint(constraint) !== undefined;
  if (readOnlyReason === undefined && !isEditing) return null;

  function done() {
    const findWord = findWordOfConstraint(row.current);
    flushSync(() => props.onOpenChange?.(false));
    const target = row.current?.querySelector<HTMLElement>('[data-values] input');
    (target ?? findWord())?.focus();
  }

  return (
    <fieldset
      ref={row}
      aria-label={`Constraint ${number}`}
      data-constraint-editor={number}
      className="relative min-w-0 rounded-control border border-line bg-sunken p-3 pr-11 forced-colors:border"
    >
      {readOnlyReason !== undefined ? (
        <div className="grid min-w-0 gap-1">
          <ConstraintSentence constraint={constraint} isExpandable isPlain />
          <p className="text-muted text-secondary">{readOnlyReason} It stays unchanged.</p>
        </div>
      ) : (
        <ConstraintFields
          {...props}
          constraint={constraint}
          number={number}
          operators={operators}
          onFocus={() => props.onOpenChange?.(true)}
          onDone={props.onOpenChange && done}
        />
      )}
      <span className="absolute top-1.5 right-1.5">
        <IconButton label={`Remove constraint ${number}`} icon={<RemoveIcon />} onClick={onRemove} />
      </span>
    </fieldset>
  );
}

interface ConstraintFieldsProps {
  constraint: Constraint;
  number: number;
  /** Undefined while loading. */
  fields: readonly ContextField[] | undefined;
  /** Names of the fields of all constraints of the strategy. */
  used: readonly string[];
  apps: readonly string[];
  operators: readonly string[];
  onFocus: () => void;
  onChange: (constraint: Constraint) => void;
  /** Undefined if the fields cannot be closed. */
  onDone: (() => void) | undefined;
}

/** Fields of one constraint. Escape and Done close it. */
function ConstraintFields(props: ConstraintFieldsProps) {
  const { constraint, number, fields, used, apps, operators, onFocus, onChange, onDone } = props;
  const values = useRequestedFocus<HTMLDivElement>(`constraint ${number}`);
  const { contextName, operator } = constraint;
  const [isTouched, setTouched] = useState(false);
  // The error of a single value is shown by Done: it would move the controls below while they are clicked.
  const isSingle = findOperator(operator)?.single !== undefined;
  // A stored field that the server no longer has stays selected until another is chosen.
  const known = [...new Set([...(fields ?? []).map(({ name }) => name), contextName])].filter((name) => name !== '');
  // Fields without a constraint come first.
  const names = [...known.filter((name) => !used.includes(name)), ...known.filter((name) => used.includes(name))];
  const choose = contextName === '' ? [{ value: '', label: 'Choose a field' }] : [];
  const [newField] = usePrompt<string, string>();
  const canCreate = usePermission('CREATE_CONTEXT_FIELD') === undefined;
  const create = canCreate ? [{ value: NEW_FIELD, label: 'New context field…' }] : [];
  const warning = getUnknownFieldWarning(contextName, fields);

  // A change of another user may arrive while the dialog is open.
  const setField = useLatestCallback((name: string) => onChange({ ...constraint, contextName: name }));

  async function chooseField(chosen: string) {
    const name = chosen === NEW_FIELD ? await newField.ask('') : chosen;
    if (name !== undefined) setField(name);
  }

  function done() {
    // Leaving the field adds the typed value.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    setTouched(true);
    onDone?.();
  }

  function closeByEscape(event: KeyboardEvent) {
    if (event.key !== 'Escape' || isInOptions(event) || !onDone) return;
    event.preventDefault();
    done();
  }

  return (
    <div className="grid min-w-0 gap-3 sm:grid-cols-2" onFocusCapture={onFocus} onKeyDownCapture={closeByEscape}>
      <SelectField
        label="Context field"
        help={warning && <span className="text-warn">{warning}</span>}
        value={contextName}
        options={[...choose, ...names.map((name) => ({ value: name, label: name })), ...create]}
        onChange={(name) => void chooseField(name)}
      />
      <SelectField
        label="Operator"
        help={findFirstVersions(operator) && <OperatorHelp operator={operator} apps={apps} />}
        value={operator}
        options={operators.map((one) => ({
          value: one,
          label: getOperatorLabel({ operator: one }),
          ...(operators !== BASIC_OPERATORS && { group: getOperatorGroup(one) }),
        }))}
        onChange={(next) => onChange(changeOperator(constraint, next))}
      />
      <div
        ref={values}
        data-values
        className="min-w-0 sm:col-span-2"
        onBlurCapture={() => setTouched(isTouched || !isSingle)}
      >
        <ConstraintValue
          constraint={constraint}
          field={fields?.find(({ name }) => name === contextName)}
          isTouched={isTouched}
          onChange={onChange}
        />
      </div>
      {operators.length > BASIC_OPERATORS.length && <ConstraintOptions constraint={constraint} onChange={onChange} />}
      {onDone && (
        <Button size="small" className="justify-self-start" onClick={done}>
          Done
        </Button>
      )}
      <NewContextFieldDialog prompt={newField} />
    </div>
  );
}

/** Entry of the list of fields that creates one. Names contain no space. */
const NEW_FIELD = 'new field';

const NONE: readonly string[] = [];

/** The client libraries that evaluate an operator, and a warning about applications with older ones. */
function OperatorHelp({ operator, apps }: { operator: string; apps: readonly string[] }) {
  const firstVersions = findFirstVersions(operator) ?? {};
  return (
    <>
      <OldLibraryWarning apps={apps} operator={operator} subject="this operator" />
      {describeFirstVersions(operator, firstVersions)}
    </>
  );
}

const LIBRARIES = {
  node: 'Node.js',
  java: 'Java',
  go: 'Go',
  python: 'Python',
  ruby: 'Ruby',
  dotnet: '.NET',
  php: 'PHP',
};

/** Of recent operators, not all first versions are known. */
function describeFirstVersions(operator: string, firstVersions: FirstVersions): string {
  const known = Object.entries(LIBRARIES).flatMap(([library, label]) => {
    const version = firstVersions[`unleash-client-${library}`];
    const isKnown = !isRecentOperator(operator) || library === 'node' || (library === 'php' && version?.[0] === 2);
    return version && isKnown ? [`${label} ${version.join('.')}`] : [];
  });
  const list = `Client libraries since ${known.join(', ')}`;
  return isRecentOperator(operator) ? `${list}; check the release notes of others.` : `${list}.`;
}

interface ConstraintValueProps {
  constraint: Constraint;
  /** Undefined if the server has no such context field, or while loading. */
  field: ContextField | undefined;
  /** The user has left the field, so that its error is shown. */
  isTouched: boolean;
  onChange: (constraint: Constraint) => void;
}

/** The list or the single value that a constraint compares with. */
function ConstraintValue({ constraint, field, isTouched, onChange }: ConstraintValueProps) {
  const locale = useLocale();
  const error = isTouched ? validateConstraint(constraint) : undefined;
  const kind = findOperator(constraint.operator)?.single;
  if (kind) {
    return (
      <TextField
        label="Value"
        required
        value={constraint.value ?? ''}
        error={error}
        help={kind === 'date' && describeLocalTime(constraint.value ?? '', locale)}
        placeholder={EXAMPLES[kind]}
        inputMode={kind === 'number' ? 'decimal' : undefined}
        spellCheck={false}
        onChange={(value) => onChange({ ...constraint, value })}
      />
    );
  }
  const warning = isTouched || constraint.contextName === '' ? undefined : describeMissingValues(constraint);
  return (
    <ChipsField
      label="Values"
      required
      entries={constraint.values ?? []}
      error={error}
      help={warning}
      suggestions={field?.legalValues ?? []}
      onChange={(values) => onChange({ ...constraint, values })}
    />
  );
}

/** Returns a time in UTC as that of the browser; undefined if it is not complete. */
function describeLocalTime(time: string, locale: string): string | undefined {
  if (!isTime(time)) return undefined;
  return `${formatMoment(time, locale)} in ${Intl.DateTimeFormat().resolvedOptions().timeZone}`;
}

const EXAMPLES: { [kind in ValueKind]?: string } = {
  date: '2026-12-31T12:00:00Z',
  version: '1.2.3',
};

/** Options of the comparison, for servers that have them. */
function ConstraintOptions({ constraint, onChange }: Pick<ConstraintValueProps, 'constraint' | 'onChange'>) {
  const { operator, inverted, caseInsensitive } = constraint;
  const operators = useOperators();
  // A negation in the list of operators makes it unnecessary.
  const canInvert = inverted === true || !operators.includes(findOperator(operator)?.negation ?? '');
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-1 empty:hidden sm:col-span-2">
      {canInvert && (
        <Checkbox
          label="Invert"
          checked={inverted === true}
          onChange={(next) => onChange({ ...constraint, inverted: next })}
        />
      )}
      {findOperator(operator)?.hasCase && (
        <Checkbox
          label="Ignore case"
          checked={caseInsensitive === true}
          onChange={(next) => onChange({ ...constraint, caseInsensitive: next })}
        />
      )}
    </div>
  );
}
