import { type FocusEvent, type KeyboardEvent, type ReactNode, type ToggleEvent, useId, useRef, useState } from 'react';
import type { Strategy, StrategyDefinition } from '@/api/generated/types';
import { getShareParameter } from '@/domain/strategies/builtInStrategies';
import { cx } from '@/lib/cx';
import { useOverlay } from '@/lib/overlays';
import { Button } from '@/ui/Button';
import type { ButtonSize } from '@/ui/buttonClass';
import { Checkbox } from '@/ui/Checkbox';
import { FailureText } from '@/ui/FailureText';
import { inputClass } from '@/ui/fieldClass';
import { AddIcon, type IconComponent, OnlyUsersIcon, PercentageIcon } from '@/ui/icons';
import { openByArrow } from '@/ui/Menu';
import { omitDeprecated } from '../saving/rules';
import { strategyIcon } from './strategyIcons';

interface Props extends StrategyChoices {
  size?: ButtonSize;
  disabledReason?: string | undefined;
}

/** Button that opens the strategies that can be added. Uses the browser's popover, like `Menu`. */
export function AddStrategyMenu({ size, disabledReason, ...choices }: Props) {
  const id = useId();
  const popup = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  useOverlay('dialog', open);
  const onBeforeToggle = (event: ToggleEvent) => {
    // The content is removed after closing: the browser returns the focus only while it is inside the popover.
    if (event.newState === 'open') setOpen(true);
  };
  const onToggle = (event: ToggleEvent<HTMLElement>) => {
    if (event.newState === 'open') event.currentTarget.querySelector<HTMLElement>('[role=menuitem], button')?.focus();
    else setOpen(false);
  };
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) popup.current?.hidePopover();
  };
  return (
    <>
      <Button
        {...(size && { size })}
        icon={<AddIcon size={15} />}
        aria-haspopup="dialog"
        aria-expanded={open}
        disabledReason={disabledReason}
        popoverTarget={disabledReason === undefined ? id : undefined}
        onKeyDown={openByArrow}
      >
        Add strategy
      </Button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it has one of two roles. */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles support a label. */}
      <div
        ref={popup}
        id={id}
        popover="auto"
        // A closed popover is no dialog.
        role={open ? 'dialog' : 'group'}
        tabIndex={-1}
        aria-label="Add strategy"
        className={POPUP}
        onBeforeToggle={onBeforeToggle}
        onToggle={onToggle}
        onBlur={onBlur}
        onKeyDown={moveInMenu}
      >
        {open && <AddStrategyPanel {...choices} onChosen={() => popup.current?.hidePopover()} />}
      </div>
    </>
  );
}

interface AddStrategiesProps extends Props {
  /** The strategies of the toggle. */
  strategies: readonly Strategy[];
}

/** Button that opens the menu, and buttons for the two most common strategies that the toggle does not have. */
export function AddStrategies({ strategies, ...menu }: AddStrategiesProps) {
  const { definitions, disabledReason, hasDefault, onAdd, onLimitToUsers } = menu;
  const rollout = definitions.find(({ name, deprecated }) => name === 'flexibleRollout' && !deprecated);
  const canRollOut = rollout !== undefined && !strategies.some(({ name }) => getShareParameter(name) !== undefined);
  const canLimit = onLimitToUsers && !strategies.some(({ name }) => name === 'userWithId');
  return (
    <div className="flex flex-wrap items-center gap-2">
      <AddStrategyMenu {...menu} size="small" />
      {(canRollOut || canLimit) && <span className="text-muted text-secondary max-sm:sr-only">or</span>}
      <CommonStrategies
        disabledReason={disabledReason}
        onRollOut={canRollOut ? () => onAdd(rollout, { replacesDefault: hasDefault }) : undefined}
        onLimitToUsers={canLimit ? onLimitToUsers : undefined}
      />
    </div>
  );
}

interface CommonStrategiesProps {
  disabledReason: string | undefined;
  /** Undefined without a button. */
  onRollOut: (() => void) | undefined;
  onLimitToUsers: (() => void) | undefined;
}

/** Buttons that add the two most common strategies. */
export function CommonStrategies({ disabledReason, onRollOut, onLimitToUsers }: CommonStrategiesProps) {
  return (
    <>
      {onRollOut && (
        <Button size="small" icon={<PercentageIcon size={15} />} disabledReason={disabledReason} onClick={onRollOut}>
          Roll out gradually
        </Button>
      )}
      {onLimitToUsers && (
        <Button
          size="small"
          icon={<OnlyUsersIcon size={15} />}
          disabledReason={disabledReason}
          onClick={onLimitToUsers}
        >
          Only these users
        </Button>
      )}
    </>
  );
}

/** Below the button; at the bottom edge of phones. */
const POPUP = cx(
  'inset-auto mx-0 my-1.5 max-h-[400px] w-96 max-w-[calc(100vw-2rem)] flex-col rounded-card border border-line bg-surface',
  'text-body text-text shadow-overlay outline-none open:flex [position-area:bottom_span-right]',
  '[position-try-fallbacks:flip-block,flip-inline,flip-block_flip-inline]',
  'max-sm:inset-x-4 max-sm:bottom-1.5 max-sm:w-auto max-sm:[position-area:none]',
  'transition-opacity duration-120 starting:open:opacity-0',
);

interface StrategyChoices {
  definitions: readonly StrategyDefinition[];
  /** The reason why the definitions could not be loaded. */
  failure?: Error | undefined;
  onRetry?: (() => void) | undefined;
  /** The toggle has a `default` strategy without constraints, next to which other strategies have no effect. */
  hasDefault: boolean;
  onAdd: (definition: StrategyDefinition, options: { replacesDefault: boolean }) => void;
  /** Limits the toggle to users. Undefined if the server has no strategy for it. */
  onLimitToUsers: (() => void) | undefined;
}

interface AddStrategyPanelProps extends StrategyChoices {
  /** Called before the choice takes effect. */
  onChosen: () => void;
}

const ONLY_USERS = { name: 'Only these users', description: 'On for the users you list, and no one else.' };

/** Content of the menu: the strategies in groups, and the options of adding one. */
function AddStrategyPanel(props: AddStrategyPanelProps) {
  const { definitions: all, failure, onRetry, hasDefault, onAdd, onLimitToUsers, onChosen } = props;
  const definitions = omitDeprecated(all);
  const [filter, setFilter] = useState('');
  const [replaces, setReplaces] = useState(true);
  const field = useRef<HTMLInputElement>(null);
  const groups = groupStrategies(definitions, filter);
  const limits = onLimitToUsers && matchesFilter(filter, ONLY_USERS.name, ONLY_USERS.description);
  const count = groups.reduce((sum, group) => sum + group.definitions.length, limits ? 1 : 0);
  const isEmpty = count === 0;
  const choose = (act: () => void) => {
    onChosen();
    act();
  };
  if (failure && all.length === 0) return <LoadFailure failure={failure} onRetry={onRetry} />;
  return (
    <>
      {hasDefault && (
        <div className="border-line border-b px-3.5 py-2.5">
          <Checkbox
            label="Replace default"
            help="A strategy next to default has no effect."
            checked={replaces}
            onChange={setReplaces}
          />
        </div>
      )}
      {definitions.length >= FILTER_FROM && (
        <div className="border-line border-b p-1.5">
          <input
            ref={field}
            type="search"
            aria-label="Filter strategies"
            placeholder="Filter strategies"
            autoComplete="off"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            className={inputClass}
          />
        </div>
      )}
      <p role="status" className={isEmpty ? 'wrap-anywhere px-4 py-6 text-center text-muted' : 'sr-only'}>
        {describeMatchCount(filter.trim(), count)}
      </p>
      {isEmpty ? (
        filter !== '' && (
          <div className="pb-4 text-center">
            <Button
              size="small"
              onClick={() => {
                setFilter('');
                field.current?.focus();
              }}
            >
              Clear filter
            </Button>
          </div>
        )
      ) : (
        <div role="menu" aria-label="Strategies" className="min-h-0 overflow-y-auto p-1">
          {limits && <Item {...ONLY_USERS} icon={OnlyUsersIcon} onChoose={() => choose(onLimitToUsers)} />}
          {groups.map(({ label, definitions: some }) => (
            <Group key={label} label={label}>
              {some.map((definition) => (
                <Item
                  key={definition.name}
                  name={definition.name}
                  description={definition.description ?? ''}
                  icon={strategyIcon(definition.name)}
                  onChoose={() =>
                    choose(() =>
                      onAdd(definition, { replacesDefault: hasDefault && replaces && definition.name !== 'default' }),
                    )
                  }
                />
              ))}
            </Group>
          ))}
        </div>
      )}
    </>
  );
}

/** The result of the filter for screen readers, and for all users if it is empty. */
function describeMatchCount(filter: string, count: number): string {
  if (count === 0) return filter === '' ? 'This server has no strategies.' : `No strategy contains “${filter}”.`;
  if (filter === '') return '';
  return count === 1 ? '1 strategy' : `${count} strategies`;
}

function LoadFailure({ failure, onRetry }: Pick<AddStrategyPanelProps, 'onRetry'> & { failure: Error }) {
  return (
    <div className="grid justify-items-start gap-3 p-4">
      <FailureText failure={failure} />
      <Button size="small" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a menu may contain groups, but no fieldset.
    <div role="group" aria-labelledby={id}>
      <p id={id} role="presentation" className="px-2.5 pt-2 pb-1 font-semibold text-label text-muted">
        {label}
      </p>
      {children}
    </div>
  );
}

interface ItemProps {
  name: string;
  description: string;
  icon: IconComponent;
  onChoose: () => void;
}

/** Item whose description is beside the button, so that it is not a part of the name. The button covers the row. */
function Item({ name, description, icon: Icon, onChoose }: ItemProps) {
  const id = useId();
  return (
    <div className={ITEM}>
      <Icon className="mt-0.5 shrink-0 text-muted" />
      <div className="grid min-w-0 flex-1">
        <button
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-describedby={id}
          onClick={onChoose}
          className="truncate text-left font-medium outline-none after:absolute after:inset-0"
        >
          {name}
        </button>
        <p id={id} className="truncate text-label text-muted">
          {description}
        </p>
      </div>
    </div>
  );
}

const ITEM = cx(
  'relative flex items-start gap-2.5 rounded-chip px-2.5 py-1.5',
  'hover:bg-sunken has-focus:forced-selected has-focus:bg-accent-soft touch:min-h-touch',
);

interface StrategyGroup {
  label: string;
  definitions: readonly StrategyDefinition[];
}

/** Number of strategies from which a menu has a filter field. */
const FILTER_FROM = 8;

const COMMON = ['flexibleRollout', 'userWithId', 'default'];

/** Strategies that flexibleRollout replaces. Servers do not mark them as deprecated. */
const OLDER = /^gradualRollout(Random|SessionId|UserId)$/u;

/** Returns the strategies whose name or description contains the text, common ones first. Omits empty groups. */
export function groupStrategies(definitions: readonly StrategyDefinition[], filter = ''): StrategyGroup[] {
  const shown = definitions.filter(({ name, description }) => matchesFilter(filter, name, description ?? ''));
  const common = COMMON.flatMap((name) => shown.find((one) => one.name === name) ?? []);
  const others = shown.filter(({ name }) => !COMMON.includes(name) && !OLDER.test(name));
  const older = shown.filter(({ name }) => OLDER.test(name));
  return [
    { label: 'Common', definitions: common },
    { label: 'More', definitions: others },
    { label: 'Older', definitions: older },
  ].filter((group) => group.definitions.length > 0);
}

/** Returns whether one of the texts contains the filter, ignoring case. */
function matchesFilter(filter: string, ...texts: readonly string[]): boolean {
  const sought = filter.trim().toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(sought));
}

/** Arrows, Home and End move between the items; Enter in the filter chooses the first; letters filter or move. */
function moveInMenu(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const filter = event.currentTarget.querySelector<HTMLElement>('input[type=search]');
  const current = items.findIndex((item) => item.contains(event.target as Node));
  const isInFilter = event.target === filter;
  if (current < 0 && !isInFilter) return;
  // The character is inserted into the field that has the focus when this handler returns.
  if (filter && !isInFilter && /^\S$/u.test(event.key)) {
    filter.focus();
    return;
  }
  if (isInFilter && event.key === 'Enter') items[0]?.click();
  const next = getNext(event.key, items, current, filter);
  next?.focus();
  // Enter in the filter must not submit the form around it.
  if (next || (isInFilter && event.key === 'Enter')) event.preventDefault();
}

function getNext(
  key: string,
  items: readonly HTMLElement[],
  current: number,
  filter: HTMLElement | null,
): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[current + 1] ?? items[0];
  if (key === 'ArrowUp') return current > 0 ? items[current - 1] : (current === 0 && filter) || items.at(-1);
  if (current < 0) return undefined;
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  if (!/^\S$/u.test(key)) return undefined;
  const matches = (item: HTMLElement) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase());
  return items.slice(current + 1).find(matches) ?? items.find(matches);
}
