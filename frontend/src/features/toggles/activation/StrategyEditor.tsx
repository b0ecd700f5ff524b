import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { useHref } from 'react-router-dom';
import { useCapabilities } from '@/api/capabilities';
import { segments } from '@/api/endpoints';
import type { ContextField, Strategy, StrategyDefinition } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { useRead } from '@/api/useRead';
import { AddConstraintMenu } from '@/domain/strategies/AddConstraintMenu';
import { isCustomStrategy } from '@/domain/strategies/builtInStrategies';
import { getReadOnlyReason, getUnknownFieldWarning, useOperators } from '@/domain/strategies/constraints';
import { OldLibraryWarning } from '@/domain/strategies/OldLibraryWarning';
import { ScheduleDialog } from '@/domain/strategies/ScheduleDialog';
import { SCHEDULE_OPERATOR } from '@/domain/strategies/schedule';
import { useSegmentName } from '@/domain/strategies/useSegmentName';
import { cx } from '@/lib/cx';
import { useRequestedFocus } from '@/lib/requestedFocus';
import { useRestoreFocus } from '@/lib/restoreFocus';
import { Button } from '@/ui/Button';
import { paths } from '@/paths';
import { Chip } from '@/ui/Chip';
import { RemoveIcon } from '@/ui/icons';
import { useIsNarrow } from '@/ui/useIsNarrow';
import { StrategyVerdict } from '../lab/StrategyVerdict';
import { useUsage } from '../page/useToggle';
import { validateStrategy } from '../saving/rules';
import { RuleDetails, RuleSentence } from './RuleSentence';
import { plainEdgeClass, ruleRowClass } from './ruleRowClass';
import { StrategyActions, type StrategyActionsProps } from './StrategyActions';
import { StrategyFields } from './StrategyFields';
import { UndefinedStrategyNote } from './StrategyName';
import { StrategyMarks } from './StrategyProperties';
import { isDirty, type StrategyPart } from './strategyDrafts';
import { type Parts, useOpenParts } from './useOpenParts';

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
  /** Requests the focus for a part of a draft. The same function in each render. */
  onFocus: (key: number, part: StrategyPart) => void;
}

/** One activation strategy, saved on its own: a sentence whose words open its fields. */
export function StrategyEditor(props: Props) {
  const { draft, note, onDiscard, onFocus } = props;
  const keep = () => {
    onDiscard();
    onFocus(draft.key, 'edit');
  };
  return draft.removed ? <RemovedStrategy name={draft.now.name} note={note} onKeep={keep} /> : <EditorRow {...props} />;
}

function EditorRow(props: Props) {
  const { draft, label, toggleName, definitions, context, order, blockedReason, isOpen } = props;
  const { now, base } = draft;
  const definition = definitions?.find(({ name }) => name === now.name);
  const isInForm = props.onSave === undefined;
  const dirty = isDirty(draft) && !isInForm;
  const row = useRequestedFocus<HTMLFieldSetElement>('fields', !props.isLoading);
  const addConstraint = useRequestedFocus<HTMLSpanElement>('addConstraint');
  const operators = useOperators();
  const parts = useOpenParts(draft, row, props);
  // The sentence of a strategy of the application begins with its name.
  const isOwn = isCustomStrategy(now.name);
  const isReplaced = base !== undefined && base.name !== now.name;
  useScrollWhenOpened(row, isOpen);
  // A discarded new strategy is removed together with its menu, which has the focus.
  useRestoreFocus(row);
  return (
    <fieldset
      ref={row}
      aria-label={label}
      className={cx(ruleRowClass, SCROLL_SPACE, dirty ? 'border-l-dirty bg-dirty-soft' : plainEdgeClass)}
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
              {'\u2003'}
              <span ref={addConstraint}>
                <AddCondition strategy={now} context={context} parts={parts} />
              </span>
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
        <RuleDetails strategy={now} toggleName={toggleName} base={isReplaced ? undefined : base}>
          <h3 className={cx('font-medium', isOwn && 'sr-only')}>{now.name}</h3>
        </RuleDetails>
      )}
      <StrategyActions
        {...props}
        saveDisabledReason={blockedReason ?? validateStrategy(now, definitions ?? [], base)}
      />
      <StrategyVerdict strategyKey={draft.key} name={now.name} />
      {props.note}
      {definitions && !definition && (
        <div className={belowSentence}>
          <UndefinedStrategyNote name={now.name} />
        </div>
      )}
      {isOpen && (
        <StrategyFields
          draft={draft}
          toggleName={toggleName}
          definitions={definitions}
          isLoading={props.isLoading}
          context={context}
          onChange={props.onChange}
          definition={definition}
          parts={parts}
          isInForm={isInForm}
        />
      )}
      <ScheduleDialog prompt={parts.schedulePrompt} warning={!isInForm && <OldLibraries toggleName={toggleName} />} />
    </fieldset>
  );
}

/** Names the applications that use the toggle and do not know schedules. A new toggle is used by none. */
function OldLibraries({ toggleName }: { toggleName: string }) {
  const apps = useUsage(toggleName).apps?.map(({ appName }) => appName) ?? [];
  return <OldLibraryWarning apps={apps} operator={SCHEDULE_OPERATOR} subject="schedules" />;
}

interface AddConditionProps {
  strategy: Strategy;
  context: Props['context'];
  parts: Parts;
}

/** Button that adds a constraint or a segment to the rule. */
function AddCondition({ strategy, context, parts }: AddConditionProps) {
  const { managesSegments } = useCapabilities();
  const { data, error } = useRead(managesSegments ? segments : null);
  const used = strategy.segments ?? [];
  const offered = (data?.segments ?? []).filter(({ id }) => !used.includes(id));
  const canCreate = usePermission('CREATE_SEGMENT') === undefined;
  const formUrl = useHref(paths.createSegment());
  // In a new tab, because the page has unsaved changes.
  const openForm = () => void window.open(formUrl, '_blank', 'noopener');
  const problem = error && !data ? `The segments could not be loaded. ${error.message}` : undefined;
  return (
    <AddConstraintMenu
      variant="ghost"
      size="small"
      className="-ml-1.5 h-6! px-1.5! text-accent! touch:h-touch!"
      fields={context}
      used={(strategy.constraints ?? []).map(({ contextName }) => contextName)}
      onAdd={parts.addConstraint}
      onSchedule={parts.askSchedule}
      segments={
        managesSegments
          ? { offered, problem, onAdd: parts.addSegment, onCreate: canCreate ? openForm : undefined }
          : undefined
      }
    />
  );
}

/** Scrolls the fields of a strategy into the window when they are opened; on phones to its top, because they fill it. */
function useScrollWhenOpened(row: RefObject<HTMLElement | null>, isOpen: boolean) {
  const isNarrow = useIsNarrow();
  const wasOpen = useRef(isOpen);
  // A layout effect: the fields are on the page, and the browser paints them at their position.
  useLayoutEffect(() => {
    if (isOpen && !wasOpen.current) row.current?.scrollIntoView({ block: isNarrow ? 'start' : 'nearest' });
    wasOpen.current = isOpen;
  }, [row, isOpen, isNarrow]);
}

/** Room for the header of the page, for the bar that the first edit shows, and in wide windows for Add strategy above it. */
const SCROLL_SPACE = 'scroll-mt-[calc(var(--spacing-below-header)+8px)] scroll-mb-28 sm:scroll-mb-48';

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

interface RemovedStrategyProps {
  name: string;
  note: ReactNode;
  onKeep: () => void;
}

/** Stands for a strategy that the next save removes. */
function RemovedStrategy({ name, note, onKeep }: RemovedStrategyProps) {
  return (
    <fieldset
      ref={useRequestedFocus<HTMLFieldSetElement>('fields')}
      aria-label={`${name}, removed`}
      className="flex min-h-13 min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 border-l-3 border-l-dirty bg-dirty-soft py-2 pr-3 pl-4"
    >
      <RemoveIcon size={17} className="shrink-0 text-muted" />
      <s className="wrap-anywhere min-w-0 font-semibold">{name}</s>
      <p className="flex-1 text-dirty text-secondary">Removed when you save</p>
      <Button size="small" aria-label={`Keep ${name}`} onClick={onKeep}>
        Keep
      </Button>
      {note && <div className="basis-full">{note}</div>}
    </fieldset>
  );
}
