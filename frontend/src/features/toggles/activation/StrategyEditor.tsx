import { type MouseEvent, memo, type ReactNode, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useCapabilities } from '@/api/capabilities';
import type { ContextField, Strategy, StrategyDefinition } from '@/api/generated/types';
import type { NewerToggle } from '@/api/newerTypes';
import { usePermission } from '@/api/permissions';
import { describeStrategy } from '@/domain/strategies/describeStrategy';
import { toJson } from '@/lib/copyFormats';
import { cx } from '@/lib/cx';
import { useRestoreFocus } from '@/lib/restoreFocus';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { Button } from '@/ui/Button';
import { buttonClass } from '@/ui/buttonClass';
import { Chip } from '@/ui/Chip';
import { DiscardIcon, JsonIcon, MoreIcon, RemoveIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { StrategyVerdict } from '../lab/StrategyVerdict';
import { getStickinessOptions, validateStrategy } from '../saving/rules';
import { ConstraintsEditor } from './ConstraintsEditor';
import { setConstraints } from './constraints';
import { focusField } from './focusStrategy';
import { ParameterField } from './ParameterField';
import { StrategyName, UndefinedStrategyNote } from './StrategyName';
import { StrategyMarks, StrategyPropertyFields, StrategyReferences } from './StrategyProperties';
import { type EditedStrategy, isDirty } from './strategyDrafts';
import { strategyIcon } from './strategyIcons';

interface Props extends StrategyActionsProps {
  /** Undefined while loading and after a failure. */
  definitions: readonly StrategyDefinition[] | undefined;
  isLoading: boolean;
  context: readonly ContextField[] | undefined;
  /** Names of segments by id, on newer servers. */
  segmentNames: NewerToggle['segmentNames'];
  /** Controls that move the strategy. */
  order: ReactNode;
  /** Edits the draft with this key. The same function in each render. */
  onChange: (key: number, strategy: Strategy) => void;
}

/** One activation strategy, saved on its own. */
export function StrategyEditor(props: Props) {
  const { draft, onDiscard } = props;
  return draft.removed ? <RemovedStrategy name={draft.now.name} onKeep={onDiscard} /> : <EditorCard {...props} />;
}

function EditorCard(props: Props) {
  const { draft, label, definitions, isLoading, context, segmentNames, order, saving, blockedReason, onChange } = props;
  const definition = definitions?.find(({ name }) => name === draft.now.name);
  const dirty = isDirty(draft);
  const Icon = strategyIcon(draft.now.name);
  const card = useRef<HTMLFieldSetElement>(null);
  // A discarded new card is removed together with its menu, which has the focus.
  useRestoreFocus(card);
  return (
    <fieldset
      ref={card}
      aria-label={label}
      className={cx(
        'min-w-0 rounded-card border bg-surface shadow-card',
        dirty ? 'border-dirty ring-1 ring-dirty' : 'border-line',
      )}
    >
      <header
        className={cx('flex min-h-13 items-center gap-2.5 rounded-t-card py-2 pr-2 pl-3', dirty && 'bg-dirty-soft')}
      >
        {order}
        <Icon size={17} className="shrink-0" />
        <div className="flex min-w-0 items-center gap-x-2.5 max-sm:flex-1 max-sm:flex-wrap">
          <StrategyName name={draft.now.name} definition={definition} opensNewTab={dirty} />
          <StrategyMarks strategy={draft.now} />
        </div>
        {definition?.deprecated && (
          <span className="max-sm:hidden">
            <Chip tone="warn">Deprecated</Chip>
          </span>
        )}
        <p className="min-w-0 flex-1 truncate text-muted text-secondary max-sm:hidden">
          {describeStrategy(draft.now) || definition?.description}
        </p>
        <StrategyActions
          {...props}
          saveDisabledReason={blockedReason ?? validateStrategy(draft.now, definitions ?? [], draft.base)}
        />
      </header>
      <StrategyVerdict name={draft.now.name} />
      <Body
        draft={draft}
        definition={definition}
        definitions={definitions}
        isLoading={isLoading}
        context={context}
        segmentNames={segmentNames}
        saving={saving}
        onChange={onChange}
      />
    </fieldset>
  );
}

function parameterOf({ parameters = {} }: Strategy, name: string): string {
  return parameters[name] ?? '';
}

type SharedProps = Pick<
  Props,
  'draft' | 'definitions' | 'isLoading' | 'context' | 'segmentNames' | 'saving' | 'onChange'
>;

interface BodyProps extends SharedProps {
  definition: StrategyDefinition | undefined;
}

/** Memoised: typing in one strategy does not render the fields of the others. */
const Body = memo(function Body(props: BodyProps) {
  const { draft, definitions, isLoading, definition, context, segmentNames, saving } = props;
  const { now, at, base } = draft;
  const onChange = (strategy: Strategy) => props.onChange(draft.key, strategy);
  const hasTitle = useCapabilities().editsStrategyTitles;
  const known = definition?.parameters ?? [];
  const others = Object.entries(now.parameters ?? {}).filter(([name]) => !known.some((one) => one.name === name));
  return (
    // Inert while saving: typed changes would be overwritten by the saved version.
    <div inert={saving} className="grid gap-4 border-line border-t px-4 py-4">
      {at === undefined && base !== undefined && (
        <p className="text-secondary text-warn">
          This strategy was removed while you were editing. Saving adds it again.
        </p>
      )}
      {definition?.deprecated && <p className="text-secondary text-warn sm:hidden">This strategy is deprecated.</p>}
      {base && base.name !== now.name && (
        <p className="text-muted text-secondary">Replaces {base.name} when you save.</p>
      )}
      {hasTitle && <StrategyPropertyFields strategy={now} base={base} onChange={onChange} />}
      {isLoading && <p className="text-muted">Loading definition...</p>}
      {!definitions && !isLoading && (
        <p className="text-secondary text-warn">
          The strategy definition could not be loaded, so its parameters cannot be edited.
        </p>
      )}
      {definitions && !definition && <UndefinedStrategyNote name={now.name} />}
      {now.name === 'default' && known.length === 0 && (
        <p className="text-muted">{describeStrategy(now)} while the toggle is enabled. It has no parameters.</p>
      )}
      {known.length > 0 && (
        <div data-parameters className="grid gap-4 sm:grid-cols-2">
          {known.map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              value={parameterOf(now, parameter.name)}
              stickiness={getStickinessOptions(context ?? [])}
              onChange={(value) => onChange({ ...now, parameters: { ...now.parameters, [parameter.name]: value } })}
            />
          ))}
        </div>
      )}
      {!isLoading && others.length > 0 && <RawParameters parameters={others} />}
      <StrategyReferences strategy={now} segmentNames={segmentNames} />
      <ConstraintsEditor
        // Saving closes the editors of constraints.
        key={String(saving)}
        constraints={now.constraints ?? []}
        fields={context}
        onChange={(constraints) => onChange(setConstraints(now, constraints, base))}
      />
    </div>
  );
});

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
  onKeep: () => void;
}

/** Stands for a strategy that the next save removes. */
function RemovedStrategy({ name, onKeep }: RemovedStrategyProps) {
  const keep = ({ currentTarget }: MouseEvent) => {
    const item = currentTarget.closest('li');
    flushSync(onKeep);
    if (item) focusField(item);
  };
  return (
    <fieldset
      aria-label={`${name}, removed`}
      className="flex min-h-13 min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 rounded-card border border-dirty border-dashed py-2 pr-2 pl-4"
    >
      <RemoveIcon size={17} className="shrink-0 text-muted" />
      <s className="wrap-anywhere min-w-0 font-semibold">{name}</s>
      <p className="flex-1 text-dirty text-secondary">Removed when you save</p>
      <Button size="small" aria-label={`Keep ${name}`} onClick={keep}>
        Keep
      </Button>
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

interface ActionsProps extends StrategyActionsProps {
  saveDisabledReason: string | undefined;
}

/** End of a card's header: Save, whose space is reserved while there is nothing to save, and the other actions. */
function StrategyActions(props: ActionsProps) {
  const { draft, label, saving, blockedReason, saveDisabledReason, onSave, onDiscard, onRemove } = props;
  const dirty = isDirty(draft);
  const removalReason = usePermission('DELETE_FEATURE_STRATEGY');
  return (
    <span className="ml-auto flex shrink-0 items-center gap-1.5">
      <span className="w-14 text-right font-semibold text-dirty text-label max-sm:sr-only">{dirty && 'Unsaved'}</span>
      <span className="grid *:[grid-area:1/1]">
        <span aria-hidden="true" className={cx(buttonClass({ size: 'small' }), 'invisible')}>
          Save
        </span>
        {dirty && <SaveButton label={label} busy={saving} disabledReason={saveDisabledReason} onClick={onSave} />}
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
    </span>
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
