// Menu whose items can be filtered by typing.
import { Autocomplete } from '@base-ui/react/autocomplete';
import { type ComponentProps, type MouseEvent, type ReactNode, useId, useRef, useState } from 'react';
import { cx } from '@/lib/cx';
import { isComposing } from '@/lib/keyboard';
import { useOverlay } from '@/lib/overlays';
import { capitalise } from '@/lib/text';
import { Button } from './Button';
import { inputClass } from './fieldClass';
import { coverClass, highlightClass } from './highlight';
import type { IconComponent } from './icons';

interface MenuContent {
  /** Names of the items, in their order. */
  names: readonly string[];
  /** The items: `DescribedItem` and `ChipItem`, in groups or rows. */
  items: ReactNode;
  /** Number of matches, if the menu does not show all, or has other items. */
  count?: number;
}

interface FilterMenuProps extends Omit<ComponentProps<typeof Button>, 'children'> {
  /** Text of the button, and name of the panel. */
  label: string;
  /** An item in the singular and in the plural. */
  nouns: readonly [string, string];
  /** Items are in `ItemRow`s: the left and right arrow keys move in a row, the others between rows. */
  isGrid?: boolean;
  /** Shown above the filter. */
  header?: ReactNode;
  /** Shown instead of the items. */
  failure?: ReactNode;
  /** Returns what matches the trimmed text of the filter. */
  children: (filter: string) => MenuContent;
}

/** Button that opens a panel with a menu. The focus stays in its filter, where the arrow keys highlight the items. */
export function FilterMenu(props: FilterMenuProps) {
  const { label, nouns, isGrid = false, header, failure, children, disabledReason, ...button } = props;
  const trigger = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [place, setPlace] = useState<Place>();
  const [typed, setTyped] = useState('');
  useOverlay('dialog', isOpen);
  const filter = typed.trim();
  const { names, items, count = names.length } = isOpen ? children(filter) : NOTHING;

  function changeOpen(next: boolean) {
    setTyped('');
    setOpen(next && disabledReason === undefined);
    if (next && trigger.current) setPlace(findPlace(trigger.current));
  }

  /** Moves the focus before the next event. Base UI waits for a frame, in which Enter would close the menu instead of choosing. */
  function focusInput() {
    input.current?.focus({ preventScroll: true });
    return input.current === null;
  }

  /** Returns the focus before the item acts: it may open a dialog, which returns the focus to where it was. */
  function leave({ target }: MouseEvent) {
    if (target instanceof Element && target.closest('[role=option], [role=gridcell]')) trigger.current?.focus();
  }

  return (
    <Autocomplete.Root
      items={names}
      filter={null}
      grid={isGrid}
      autoHighlight="always"
      value={typed}
      onValueChange={(next, { reason }) => reason === 'input-change' && setTyped(next)}
      open={isOpen}
      onOpenChange={changeOpen}
    >
      {/* A button that opens a dialog: its text is a command, and no value of a combobox. */}
      <Autocomplete.Trigger ref={trigger} role="button" render={<Button {...button} disabledReason={disabledReason} />}>
        {label}
      </Autocomplete.Trigger>
      <Autocomplete.Portal>
        <Autocomplete.Positioner
          {...place}
          align="start"
          sideOffset={6}
          collisionAvoidance={{ side: 'none', fallbackAxisSide: 'none' }}
          className="z-15"
        >
          {/* The filter stays beside the button when the menu becomes shorter. */}
          <Autocomplete.Popup
            aria-label={label}
            initialFocus={focusInput}
            className={cx(POPUP, place?.side === 'top' ? 'flex-col-reverse' : 'flex-col')}
          >
            {header}
            {failure || (
              <>
                <div className="border-line border-b p-1.5">
                  <Autocomplete.Input
                    ref={input}
                    aria-label={`Filter ${nouns[1]}`}
                    placeholder={`Filter ${nouns[1]}`}
                    className={inputClass}
                    onKeyDown={(event) => isComposing(event.nativeEvent) && event.preventBaseUIHandler()}
                  />
                </div>
                <p role="status" className={count === 0 ? 'wrap-anywhere px-4 py-6 text-center text-muted' : 'sr-only'}>
                  {describeMatchCount(filter, count, nouns)}
                </p>
                <Autocomplete.List
                  aria-label={capitalise(nouns[1])}
                  onClickCapture={leave}
                  className="min-h-0 overflow-y-auto p-1 outline-none empty:hidden"
                >
                  {items}
                </Autocomplete.List>
              </>
            )}
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}

/** A page may have many closed menus. */
const NOTHING: MenuContent = { names: [], items: null };

type Place = Pick<Autocomplete.Positioner.Props, 'side' | 'collisionPadding'>;

/** Height from which the space below the button is enough, in pixels: the list scrolls. */
const ENOUGH_SPACE = 240;

/** Base UI would place a long menu above the button as soon as not all of it fits below. */
function findPlace(button: Element): Place {
  const { top, bottom } = button.getBoundingClientRect();
  const bar = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--bottom-bar')) || 0;
  const collisionPadding = { top: HEADER + GAP, bottom: bar + GAP, left: GAP, right: GAP };
  const below = innerHeight - collisionPadding.bottom - bottom;
  const isAbove = below < ENOUGH_SPACE && top - collisionPadding.top > below;
  return { side: isAbove ? 'top' : 'bottom', collisionPadding };
}

/** Height of the header, `--spacing-header` of `styles.css`. */
const HEADER = 52;
const GAP = 8;

const POPUP = cx(
  'flex max-h-[min(400px,var(--available-height))] w-96 max-w-[calc(100vw-2rem)] rounded-card border border-line bg-surface',
  'text-body text-text shadow-overlay outline-none',
);

/** The result of the filter for screen readers, and for all users if it is empty. */
function describeMatchCount(filter: string, count: number, [one, many]: readonly [string, string]): string {
  if (filter === '') return count === 0 ? `There are no ${many}.` : '';
  return count === 0 ? `No ${one} contains “${filter}”.` : `${count} ${count === 1 ? one : many}`;
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
  return (
    <Autocomplete.Group>
      <Autocomplete.GroupLabel className="px-2.5 pt-2 pb-1 font-semibold text-label text-muted">
        {label}
      </Autocomplete.GroupLabel>
      {children}
    </Autocomplete.Group>
  );
}

export const ItemRow = Autocomplete.Row;

interface DescribedItemProps {
  name: string;
  /** Technical name, after the name. */
  detail?: string | undefined;
  description?: string | null | undefined;
  icon?: IconComponent;
  /** The description says why. */
  isDisabled?: boolean;
  onChoose: () => void;
}

/** Item whose description is beside it, so that it is not a part of the name. The item covers both. */
export function DescribedItem({
  name,
  detail,
  description,
  icon: Icon,
  isDisabled = false,
  onChoose,
}: DescribedItemProps) {
  const id = useId();
  return (
    <div className={ITEM}>
      {Icon && <Icon className="mt-0.5 shrink-0 text-muted" />}
      <div className="grid min-w-0 flex-1">
        <Autocomplete.Item
          aria-describedby={description ? id : undefined}
          disabled={isDisabled}
          onClick={onChoose}
          className={cx(coverClass, 'font-medium data-disabled:text-muted')}
        >
          {name}
          {detail && <span className="font-normal text-muted"> {detail}</span>}
        </Autocomplete.Item>
        {description && (
          <span id={id} className="truncate text-label text-muted">
            {description}
          </span>
        )}
      </div>
    </div>
  );
}

const ITEM = cx(highlightClass, 'flex items-start gap-2.5 px-2.5 py-1.5 touch:min-h-touch');

interface ChipItemProps {
  /** Accessible name, which contains the text. */
  label: string;
  onChoose: () => void;
  children: string;
}

/** Short item: several are in one line. */
export function ChipItem({ label, onChoose, children }: ChipItemProps) {
  return (
    <div className={CHIP}>
      <Autocomplete.Item aria-label={label} onClick={onChoose} className={coverClass}>
        {children}
      </Autocomplete.Item>
    </div>
  );
}

const CHIP = cx(
  highlightClass,
  'inline-flex h-[26px] max-w-full items-center border border-line-strong bg-surface px-2 font-semibold text-label',
  'touch:h-touch touch:px-3',
);
