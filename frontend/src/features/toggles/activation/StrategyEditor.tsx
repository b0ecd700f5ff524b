import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  type RefObject,
  useMemo,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { useCapabilities } from '@/api/capabilities';
import type {
  Constraint,
  ContextField,
  ParameterDefinition,
  Strategy,
  StrategyDefinition,
} from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { AddConstraintMenu } from '@/domain/strategies/AddConstraintMenu';
import { hasConstraints } from '@/domain/strategies/audience';
import { getShareParameter } from '@/domain/strategies/builtInStrategies';
import { ConstraintsEditor, showNewConstraint } from '@/domain/strategies/ConstraintsEditor';
import {
  getReadOnlyReason,
  getUnknownFieldWarning,
  setConstraints,
  useOperators,
} from '@/domain/strategies/constraints';
import { isStoredVersionOf } from '@/domain/strategies/matchStrategies';
import { useSegmentName } from '@/domain/strategies/useSegmentName';
import { toJson } from '@/lib/copyFormats';
import { cx } from '@/lib/cx';
import { isInOptions } from '@/lib/isInOptions';
import { useRestoreFocus } from '@/lib/restoreFocus';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { Button } from '@/ui/Button';
import { buttonClass } from '@/ui/buttonClass';
import { Chip } from '@/ui/Chip';
import { IconButton } from '@/ui/IconButton';
import { ChevronUpIcon, DiscardIcon, EditIcon, JsonIcon, MoreIcon, RemoveIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { StrategyVerdict } from '../lab/StrategyVerdict';
import { useUsage } from '../page/useToggle';
import { getStickinessOptions, validateStrategy } from '../saving/rules';
import { focusField, focusTarget } from './focusStrategy';
import { ParameterField } from './ParameterField';
import { RuleDetails, RuleSentence, type RuleTarget } from './RuleSentence';
import { plainEdgeClass, ruleRowClass } from './ruleRowClass';
import { StrategyName, UndefinedStrategyNote } from './StrategyName';
import { useFocusOfFields } from './useFocusOfFields';
import { SegmentsField, StrategyMarks, StrategyPropertyFields, StrategyReferences } from './StrategyProperties';
import { type EditedStrategy, isDirty, removeAt } from './strategyDrafts';

interface Props extends StrategyActionsProps {
  toggleName: string;
  /** Undefined while loading and after a failure. */
  definitions: readonly StrategyDefinition[] | undefined;
  isLoading: boolean;
  context: readonly ContextField[] | undefined;
  /** Controls that move the strategy. */
  order: ReactNode;
  /** States that another user changed the strategy while it is edited. */
  note: ReactNode;
  /** The fields of the strategy are shown. */
  isOpen: boolean;
  onOpenChange: (key: number, isOpen: boolean) => void;
  /** Edits the draft with this key. The same function in each render. */
  onChange: (key: number, strategy: Strategy) => void;
}

/** One activation strategy, saved on its own: a sentence whose words open its fields. */
export function StrategyEditor(props: Props) {
  const { draft, note, onDiscard } = props;
  return draft.removed ? (
    <RemovedStrategy name={draft.now.name} note={note} onKeep={onDiscard} />
  ) : (
    <EditorRow {...props} />
  );
}

function EditorRow(props: Props) {
  const { draft, label, toggleName, definitions, context, order, blockedReason, isOpen } = props;
  const { now, base } = draft;
  const definition = definitions?.find(({ name }) => name === now.name);
  const dirty = isDirty(draft);
  const row = useRef<HTMLFieldSetElement>(null);
  const operators = useOperators();
  const focusWhenReady = useFocusOfFields(!props.isLoading && !props.saving);
  const parts = useOpenParts(draft, row, props.onOpenChange, focusWhenReady);
  const isReplaced = base !== undefined && base.name !== now.name;
  // A discarded new strategy is removed together with its menu, which has the focus.
  useRestoreFocus(row);
  return (
    <fieldset
      ref={row}
      aria-label={label}
      className={cx(ruleRowClass, dirty ? 'border-l-dirty bg-dirty-soft' : plainEdgeClass)}
    >
      {order}
      <div className="min-w-0 max-sm:col-start-2 max-sm:col-end-4 max-sm:pr-1">
        <RuleSentence
          strategy={now}
          toggleName={toggleName}
          segmentName={useSegmentName([now, ...(base ? [base] : [])])}
          base={isReplaced ? undefined : base}
          onOpen={parts.open}
          isEditable={(index) => {
            const constraint = now.constraints?.[index];
            return constraint !== undefined && getReadOnlyReason(constraint, operators) === undefined;
          }}
        >
          {isOpen && (
            <>
              {' '}
              <AddConstraintMenu
                data-add-constraint=""
                variant="ghost"
                size="small"
                className="ml-1 h-6! px-1.5! text-accent! touch:h-touch!"
                fields={context}
                used={(now.constraints ?? []).map(({ contextName }) => contextName)}
                onAdd={(constraint) => parts.addConstraint(constraint, props.onChange)}
              />
            </>
          )}
        </RuleSentence>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-secondary empty:hidden *:mt-1">
          <StrategyMarks strategy={now} />
          {definition?.deprecated && <Chip tone="warn">Deprecated</Chip>}
          {isReplaced && <span className="text-muted">Replaces {base.name} when you save.</span>}
        </p>
        <UnknownFields constraints={now.constraints} fields={context} />
      </div>
      {!isOpen && (
        <RuleDetails strategy={now} toggleName={toggleName} base={isReplaced ? undefined : base} onOpen={parts.open}>
          <StrategyName name={now.name} definition={definition} opensNewTab={dirty} />
        </RuleDetails>
      )}
      <StrategyActions
        {...props}
        saveDisabledReason={blockedReason ?? validateStrategy(now, definitions ?? [], base)}
      />
      <StrategyVerdict name={now.name} constraints={now.constraints ?? []} />
      {props.note}
      {definitions && !definition && (
        <div className={belowSentence}>
          <UndefinedStrategyNote name={now.name} />
        </div>
      )}
      {isOpen && <Body {...bodyProps(props)} definition={definition} parts={parts} />}
    </fieldset>
  );
}

/** Below the sentence, beside the number. */
const belowSentence = 'col-start-2 col-end-4 mt-1.5 min-w-0';

function UnknownFields({ constraints, fields }: { constraints: Strategy['constraints']; fields: Props['context'] }) {
  const warnings = (constraints ?? []).flatMap(({ contextName }) => getUnknownFieldWarning(contextName, fields) ?? []);
  return [...new Set(warnings)].map((warning) => (
    <p key={warning} className="mt-1 text-secondary text-warn">
      {warning}
    </p>
  ));
}

type Parts = ReturnType<typeof useOpenParts>;

/** Which parts of an open strategy are shown, and the focus after they are opened. */
function useOpenParts(
  draft: EditedStrategy,
  row: RefObject<HTMLElement | null>,
  onOpenChange: Props['onOpenChange'],
  focusWhenReady: ReturnType<typeof useFocusOfFields>,
) {
  // A change of the stored version, for example by saving, closes the editors of constraints. Another read of the same does not.
  const [constraints, setConstraintsOpen] = useState<{ base: Strategy | undefined; open: readonly number[] }>();
  const [hasDetails, setDetails] = useState(false);
  // The fields are rendered again only if the strategy or what it shows changes.
  return useMemo(() => {
    const { key, now, base } = draft;
    const open = constraints && isSameVersion(constraints.base, base) ? constraints.open : [];
    const setConstraintOpen = (index: number, isOpen: boolean) => {
      if (open.includes(index) === isOpen) return;
      setConstraintsOpen({ base, open: isOpen ? [...open, index] : open.filter((other) => other !== index) });
    };
    return {
      isConstraintOpen: (index: number) => open.includes(index),
      setConstraintOpen,
      hasDetails,
      setDetails,
      /** Opens a part of the sentence, and focuses its field. */
      open(target: RuleTarget) {
        flushSync(() => {
          onOpenChange(key, true);
          if (target === 'rule' || target === 'segments') return;
          if ('constraint' in target) setConstraintOpen(target.constraint, true);
          else if (DETAILS.includes(target.parameter)) setDetails(true);
        });
        focusWhenReady(() => row.current && focusTarget(row.current, target));
      },
      addConstraint(constraint: Constraint, onChange: Props['onChange']) {
        const before = now.constraints ?? [];
        flushSync(() => {
          setConstraintOpen(before.length, true);
          onChange(key, setConstraints(now, [...before, constraint], base));
        });
        showNewConstraint(row.current, before.length + 1, constraint);
      },
      removeConstraint(index: number, onChange: Props['onChange']) {
        flushSync(() => {
          const others = open.filter((other) => other !== index).map((other) => (other > index ? other - 1 : other));
          setConstraintsOpen({ base, open: others });
          onChange(key, setConstraints(now, removeAt(now.constraints ?? [], index), base));
        });
        row.current?.querySelector<HTMLElement>('[data-add-constraint]')?.focus();
      },
    };
  }, [draft, row, onOpenChange, focusWhenReady, constraints, hasDetails]);
}

function isSameVersion(before: Strategy | undefined, after: Strategy | undefined): boolean {
  return before && after ? isStoredVersionOf(before, after) : before === after;
}

/** Parameters that are rarely changed, in one line until they are. */
const DETAILS = ['stickiness', 'groupId'];

function parameterOf({ parameters = {} }: Strategy, name: string): string {
  return parameters[name] ?? '';
}

type SharedProps = Pick<
  Props,
  'draft' | 'toggleName' | 'definitions' | 'isLoading' | 'context' | 'saving' | 'onChange' | 'onOpenChange'
>;

function bodyProps(props: Props): SharedProps {
  const { draft, toggleName, definitions, isLoading, context, saving, onChange, onOpenChange } = props;
  return { draft, toggleName, definitions, isLoading, context, saving, onChange, onOpenChange };
}

interface BodyProps extends SharedProps {
  definition: StrategyDefinition | undefined;
  parts: Parts;
}

/** The fields of an open strategy. Escape closes them. Memoised: typing in one strategy does not render the others. */
const Body = memo(function Body(props: BodyProps) {
  const { draft, toggleName, definitions, isLoading, definition, context, saving, parts } = props;
  const { now, base } = draft;
  const onChange = (strategy: Strategy) => props.onChange(draft.key, strategy);
  const { editsStrategyTitles: hasTitle, managesSegments } = useCapabilities();
  const known = definition?.parameters ?? [];
  const others = Object.entries(now.parameters ?? {}).filter(([name]) => !known.some((one) => one.name === name));
  const hasShare = getShareParameter(now.name) !== undefined;
  const details = hasShare ? known.filter(({ name }) => DETAILS.includes(name)) : [];
  const main = known.filter((parameter) => !details.includes(parameter));
  const field = (parameter: ParameterDefinition) => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      isInSentence={hasShare}
      value={parameterOf(now, parameter.name)}
      saved={base?.name === now.name ? parameterOf(base, parameter.name) : undefined}
      stickiness={getStickinessOptions(context ?? [])}
      onChange={(value) => onChange({ ...now, parameters: { ...now.parameters, [parameter.name]: value } })}
    />
  );
  function closeByEscape(event: KeyboardEvent<HTMLElement>) {
    if (event.key !== 'Escape' || event.defaultPrevented || isInOptions(event)) return;
    const row = event.currentTarget.closest('fieldset[aria-label]');
    flushSync(() => props.onOpenChange(draft.key, false));
    row?.querySelector<HTMLElement>('[data-edit]')?.focus();
  }
  return (
    // Inert while saving: typed changes would be overwritten by the saved version.
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape in any of its fields closes it.
    <div
      inert={saving}
      onKeyDown={closeByEscape}
      className="col-start-2 col-end-4 grid min-w-0 gap-3.5 pt-2.5 pb-1 max-sm:col-start-1 max-sm:pr-1"
    >
      {isLoading && <p className="text-muted">Loading definition...</p>}
      {!definitions && !isLoading && (
        <p className="text-secondary text-warn">
          The strategy definition could not be loaded, so its parameters cannot be edited.
        </p>
      )}
      {now.name === 'default' && known.length === 0 && (
        <p className="text-muted text-secondary">
          {hasConstraints(now) ? 'On if the constraints match' : 'On for everyone'} while the toggle is enabled. It has
          no parameters.
        </p>
      )}
      {main.length > 0 && (
        <div data-parameters className="grid gap-4 sm:grid-cols-2">
          {main.map(field)}
        </div>
      )}
      {(now.constraints ?? []).length > 0 && (
        <ConstraintsOfToggle
          toggleName={toggleName}
          constraints={now.constraints ?? []}
          fields={context}
          opening={{ isOpen: parts.isConstraintOpen, onOpenChange: parts.setConstraintOpen }}
          onChange={(constraints) => onChange(setConstraints(now, constraints, base))}
          onRemove={(index) => parts.removeConstraint(index, props.onChange)}
        />
      )}
      {managesSegments && <SegmentsField strategy={now} base={base} onChange={onChange} />}
      {hasTitle && <StrategyPropertyFields strategy={now} base={base} onChange={onChange} />}
      {!isLoading && others.length > 0 && <RawParameters parameters={others} />}
      <StrategyReferences strategy={now} />
      <div className="wrap-anywhere text-muted text-secondary leading-6 [&>h3]:inline [&>h3]:whitespace-normal">
        <StrategyName name={now.name} definition={definition} opensNewTab={isDirty(draft)} />
        {details.map(({ name }) => (
          // The dot stays at the end of its line.
          <span key={name}>
            {'\u00a0· '}
            {name === 'stickiness' ? 'sticky on' : 'group'}{' '}
            <b className="font-semibold text-text">{parameterOf(now, name) || 'not set'}</b>
          </span>
        ))}
        {details.length > 0 && (
          <Button
            variant="ghost"
            size="small"
            aria-expanded={parts.hasDetails}
            className="ml-1 h-6! px-1.5! text-accent! touch:h-touch!"
            onClick={() => parts.setDetails(!parts.hasDetails)}
          >
            {parts.hasDetails ? 'Hide' : 'Change'}
            <VisuallyHidden> stickiness and group</VisuallyHidden>
          </Button>
        )}
      </div>
      {parts.hasDetails && details.length > 0 && <div className="grid gap-4 sm:grid-cols-2">{details.map(field)}</div>}
    </div>
  );
});

interface ToggleConstraintsProps extends ComponentProps<typeof ConstraintsEditor> {
  toggleName: string;
}

/** The constraints, with warnings about the applications that use the toggle. */
function ConstraintsOfToggle({ toggleName, ...props }: ToggleConstraintsProps) {
  const { apps } = useUsage(toggleName);
  return <ConstraintsEditor {...props} apps={apps?.map(({ appName }) => appName)} />;
}

/** Parameters without a definition, which are read-only and kept unchanged. */
function RawParameters({ parameters }: { parameters: readonly [string, unknown][] }) {
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[160px_minmax(0,1fr)]">
      {parameters.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="wrap-anywhere text-muted text-secondary max-sm:-mb-1.5">{name}</dt>
          <dd className="wrap-anywhere min-w-0 font-mono text-secondary">
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface RemovedStrategyProps {
  name: string;
  note: ReactNode;
  onKeep: () => void;
}

/** Stands for a strategy that the next save removes. */
function RemovedStrategy({ name, note, onKeep }: RemovedStrategyProps) {
  const keep = ({ currentTarget }: MouseEvent) => {
    const item = currentTarget.closest('li');
    flushSync(onKeep);
    if (item) focusField(item);
  };
  return (
    <fieldset
      aria-label={`${name}, removed`}
      className="flex min-h-13 min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 border-l-3 border-l-dirty bg-dirty-soft py-2 pr-3 pl-4"
    >
      <RemoveIcon size={17} className="shrink-0 text-muted" />
      <s className="wrap-anywhere min-w-0 font-semibold">{name}</s>
      <p className="flex-1 text-dirty text-secondary">Removed when you save</p>
      <Button size="small" aria-label={`Keep ${name}`} onClick={keep}>
        Keep
      </Button>
      {note && <div className="basis-full">{note}</div>}
    </fieldset>
  );
}

interface StrategyActionsProps {
  draft: EditedStrategy;
  /** Label of the strategy, unique within the toggle. */
  label: string;
  saving: boolean;
  /** Reason why the strategy can neither be saved nor removed. */
  blockedReason: string | undefined;
  onSave: () => void;
  onDiscard: () => void;
  onRemove: () => void;
}

interface ActionsProps extends StrategyActionsProps, Pick<Props, 'isOpen' | 'onOpenChange'> {
  saveDisabledReason: string | undefined;
}

/** End of a row: Save while there is something to save, and the other actions. */
function StrategyActions(props: ActionsProps) {
  const { draft, label, saving, blockedReason, saveDisabledReason, isOpen } = props;
  const { onSave, onDiscard, onRemove, onOpenChange } = props;
  const dirty = isDirty(draft);
  const removalReason = usePermission('DELETE_FEATURE_STRATEGY');
  return (
    <header
      className={cx(
        'flex min-w-0 items-center gap-x-1 text-muted text-secondary sm:col-start-3 sm:row-span-2 sm:row-start-1 sm:self-start',
        // On phones beside the name, or in a line of its own.
        dirty || isOpen ? 'max-sm:col-start-2 max-sm:col-end-4' : 'max-sm:col-start-3',
      )}
    >
      {(dirty || isOpen) && (
        // The space is reserved while the strategy is open, so that the first edit moves nothing.
        <span className="mr-2 flex items-center gap-x-3 max-sm:flex-1">
          <span className="min-w-14 font-semibold text-dirty text-label">{dirty && 'Unsaved'}</span>
          <span className="grid *:[grid-area:1/1]">
            <span aria-hidden="true" className={cx(buttonClass({ size: 'small' }), 'invisible')}>
              Save
            </span>
            {dirty && <SaveButton label={label} busy={saving} disabledReason={saveDisabledReason} onClick={onSave} />}
          </span>
        </span>
      )}
      <span className="max-sm:ml-auto">
        <IconButton
          data-edit=""
          label={`Edit ${label}`}
          aria-expanded={isOpen}
          icon={isOpen ? <ChevronUpIcon /> : <EditIcon size={15} />}
          onClick={() => onOpenChange(draft.key, !isOpen)}
        />
      </span>
      <Menu
        label={`Actions for ${label}`}
        trigger={{ icon: <MoreIcon size={17} /> }}
        items={[
          ...(dirty ? [{ id: 'discard', label: 'Discard changes', icon: <DiscardIcon />, onSelect: onDiscard }] : []),
          {
            id: 'copy',
            label: 'Copy as JSON',
            icon: <JsonIcon />,
            onSelect: () => void copyAndNotify(toJson(draft.now)),
          },
          { separator: true },
          {
            id: 'remove',
            label: 'Remove',
            icon: <RemoveIcon />,
            tone: 'danger',
            // A new strategy is only discarded.
            disabledReason: blockedReason ?? (draft.base && removalReason),
            onSelect: onRemove,
          },
        ]}
      />
    </header>
  );
}

interface SaveButtonProps {
  label: string;
  busy: boolean;
  disabledReason: string | undefined;
  onClick: () => void;
}

function SaveButton({ label, ...button }: SaveButtonProps) {
  const save = useRef<HTMLButtonElement>(null);
  // The button disappears after saving.
  useRestoreFocus(save, findMenuBeside);
  return (
    <Button ref={save} variant="unsaved" size="small" aria-label={`Save ${label}`} {...button}>
      Save
    </Button>
  );
}

function findMenuBeside(save: HTMLElement): HTMLElement | null | undefined {
  return save.closest('header')?.querySelector<HTMLElement>('[aria-haspopup=menu]');
}
