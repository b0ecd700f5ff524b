// Menu whose items can be filtered by typing.
import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useRef,
} from 'react';
import { cx } from '@/lib/cx';
import { Button } from './Button';
import { inputClass } from './fieldClass';
import type { IconComponent } from './icons';
import { openByArrow } from './Menu';
import { findTyped, isSearchKey } from './menuSearch';
import { usePopoverState } from './usePopoverState';

interface FilterMenuProps extends Omit<ComponentProps<typeof Button>, 'children'> {
  /** Text of the button, and name of the panel. */
  label: string;
  /** Content of the panel, rendered while it is open. `close` closes it, and returns the focus to the button. */
  children: (close: () => void) => ReactNode;
}

/** Button that opens a panel with a menu. Uses the browser's popover, like `Menu`. */
export function FilterMenu({ label, children, disabledReason, ...button }: FilterMenuProps) {
  const id = useId();
  const popup = useRef<HTMLDivElement>(null);
  const { isOpen, handlers } = usePopoverState({
    overlay: 'dialog',
    onOpen: (panel) => {
      // Filtering does not make it smaller, which would move the filter field of a panel above its button.
      panel.style.minHeight = `${panel.offsetHeight}px`;
      panel.querySelector<HTMLElement>('[role=menuitem], button')?.focus();
    },
    onClose: (panel) => {
      panel.style.minHeight = '';
    },
  });
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) popup.current?.hidePopover();
  };
  return (
    <>
      <Button
        {...button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        disabledReason={disabledReason}
        popoverTarget={disabledReason === undefined ? id : undefined}
        onKeyDown={openByArrow}
      >
        {label}
      </Button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it has one of two roles. */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles support a label. */}
      <div
        ref={popup}
        id={id}
        popover="auto"
        // A closed popover is no dialog.
        role={isOpen ? 'dialog' : 'group'}
        tabIndex={-1}
        aria-label={label}
        className={POPUP}
        {...handlers}
        onBlur={onBlur}
        onKeyDown={moveInMenu}
      >
        {isOpen && children(() => popup.current?.hidePopover())}
      </div>
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

interface FilteredItemsProps {
  /** Name of the menu, such as `Strategies`. */
  label: string;
  /** An item in the singular and in the plural. */
  nouns: readonly [string, string];
  /** The typed text. */
  filter: string;
  onFilter: (filter: string) => void;
  /** Number of items without the filter. A short menu has no filter field. */
  total: number;
  /** Number of items that match the filter. */
  count: number;
  /** Shown if there are no items at all. */
  emptyText: string;
  /** The items that match. */
  children: ReactNode;
}

/** The items of a menu below the field that filters them. */
export function FilteredItems(props: FilteredItemsProps) {
  const { label, filter, onFilter, total, count, children } = props;
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      {total >= FILTER_FROM && (
        <div className="border-line border-b p-1.5">
          <input
            ref={field}
            type="search"
            aria-label={`Filter ${label.toLowerCase()}`}
            placeholder={`Filter ${label.toLowerCase()}`}
            autoComplete="off"
            value={filter}
            onChange={(event) => onFilter(event.target.value)}
            className={inputClass}
          />
        </div>
      )}
      <p role="status" className={count === 0 ? 'wrap-anywhere px-4 py-6 text-center text-muted' : 'sr-only'}>
        {describeMatchCount(props)}
      </p>
      {count === 0 && filter !== '' && <ClearFilter field={field} onClear={() => onFilter('')} />}
      <div role="menu" aria-label={label} className="min-h-0 overflow-y-auto p-1 empty:hidden">
        {children}
      </div>
    </>
  );
}

/** Number of items from which a menu has a filter field. */
const FILTER_FROM = 8;

/** The result of the filter for screen readers, and for all users if it is empty. */
function describeMatchCount({ filter, count, nouns: [one, many], emptyText }: FilteredItemsProps): string {
  const sought = filter.trim();
  if (count === 0) return sought === '' ? emptyText : `No ${one} contains “${sought}”.`;
  if (sought === '') return '';
  return `${count} ${count === 1 ? one : many}`;
}

interface ClearFilterProps {
  field: RefObject<HTMLInputElement | null>;
  onClear: () => void;
}

function ClearFilter({ field, onClear }: ClearFilterProps) {
  return (
    <div className="pb-4 text-center">
      <Button
        size="small"
        onClick={() => {
          onClear();
          field.current?.focus();
        }}
      >
        Clear filter
      </Button>
    </div>
  );
}

/** Returns whether one of the texts contains the filter, ignoring case. */
export function matchesFilter(filter: string, ...texts: readonly string[]): boolean {
  const sought = filter.trim().toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(sought));
}

interface ItemGroupProps {
  label: string;
  children: ReactNode;
}

/** Items under a heading. */
export function ItemGroup({ label, children }: ItemGroupProps) {
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

interface DescribedItemProps {
  name: string;
  description: string;
  icon: IconComponent;
  onChoose: () => void;
}

/** Item whose description is beside the button, so that it is not a part of the name. The button covers the row. */
export function DescribedItem({ name, description, icon: Icon, onChoose }: DescribedItemProps) {
  const id = useId();
  return (
    <div className={ITEM}>
      <Icon className="mt-0.5 shrink-0 text-muted" />
      <div className="grid min-w-0 flex-1">
        <button
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-describedby={description ? id : undefined}
          onClick={onChoose}
          className="truncate text-left font-medium outline-none after:absolute after:inset-0"
        >
          {name}
        </button>
        {description && (
          <p id={id} className="truncate text-label text-muted">
            {description}
          </p>
        )}
      </div>
    </div>
  );
}

const ITEM = cx(
  'relative flex items-start gap-2.5 rounded-chip px-2.5 py-1.5',
  'hover:bg-sunken has-focus:forced-selected has-focus:bg-accent-soft touch:min-h-touch',
);

interface ChipItemProps {
  /** Accessible name, which contains the text. */
  label: string;
  onChoose: () => void;
  children: string;
}

/** Short item: several are in one line. */
export function ChipItem({ label, onChoose, children }: ChipItemProps) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} aria-label={label} onClick={onChoose} className={CHIP}>
      <span className="truncate">{children}</span>
    </button>
  );
}

const CHIP = cx(
  'inline-flex h-[26px] max-w-full items-center rounded-chip border border-line-strong bg-surface px-2 font-semibold text-label',
  'hover:bg-sunken focus:forced-selected focus:border-accent focus:bg-accent-soft outline-none touch:h-touch touch:px-3',
);

/** Arrows, Home and End move between the items; Enter in the filter chooses the first; letters filter or move. */
function moveInMenu(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=menuitem]')];
  const filter = event.currentTarget.querySelector<HTMLElement>('input[type=search]');
  const current = items.findIndex((item) => item.contains(event.target as Node));
  const isInFilter = event.target === filter;
  if (current < 0 && !isInFilter) return;
  // The character is inserted into the field that has the focus when this handler returns.
  if (filter && !isInFilter && isSearchKey(event.key)) {
    filter.focus();
    return;
  }
  if (isInFilter && event.key === 'Enter') items[0]?.click();
  const next = getNext(event, items, current, filter);
  next?.focus();
  // Enter in the filter must not submit the form around it.
  if (next || (isInFilter && event.key === 'Enter')) event.preventDefault();
}

function getNext(
  event: KeyboardEvent,
  items: readonly HTMLElement[],
  current: number,
  filter: HTMLElement | null,
): HTMLElement | undefined {
  const { key } = event;
  // Chips are beside each other.
  if (key === 'ArrowDown' || (key === 'ArrowRight' && current >= 0)) return items[current + 1] ?? items[0];
  if (key === 'ArrowUp' || (key === 'ArrowLeft' && current > 0))
    return current > 0 ? items[current - 1] : (current === 0 && filter) || items.at(-1);
  if (current < 0) return undefined;
  if (key === 'Home') return items[0];
  if (key === 'End') return items.at(-1);
  return isSearchKey(key) ? findTyped(event, items, current) : undefined;
}
