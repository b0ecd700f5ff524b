import { type KeyboardEvent, type ReactNode, type RefObject, useId, useRef } from 'react';
import { cx } from '@/lib/cx';
import { Button } from './Button';
import type { ButtonSize, ButtonVariant } from './buttonClass';
import { IconButton } from './IconButton';
import { type MenuAction, type MenuItem, MenuItems } from './MenuItems';
import { findTyped, isSearchKey } from './menuSearch';
import { usePopoverState } from './usePopoverState';

interface MenuProps {
  label: string;
  triggerRef?: RefObject<HTMLButtonElement | null> | undefined;
  trigger: { icon?: ReactNode; text?: ReactNode; variant?: ButtonVariant; size?: ButtonSize };
  items: readonly MenuItem[];
  /** Edge of the trigger that the menu is aligned with. By default its end, because most menus are at the end of a row. */
  align?: 'start' | 'end';
  disabledReason?: string | undefined;
  /** The chosen action is in progress. */
  busy?: boolean;
}

/**
 * Button with a menu. Uses the browser's popover, which provides the top layer, light dismiss, Escape and focus return.
 * A closed menu is one element, so that a list can contain thousands.
 */
export function Menu({ label, triggerRef, trigger, items, align = 'end', disabledReason, busy = false }: MenuProps) {
  const id = useId();
  const popup = useRef<HTMLDivElement>(null);
  const { isOpen, handlers } = usePopoverState({
    overlay: 'menu',
    onOpen: (opened) => focusItem(opened, (all) => all.find(isChecked) ?? all[0]),
    onClose: returnFocusInPopover,
  });
  const select = (item: MenuAction) => {
    // Closes before the action runs, so that a dialog returns the focus to the trigger, not to a removed item.
    popup.current?.hidePopover();
    item.onSelect();
  };
  const { variant, size } = trigger;
  const buttonProps = { ...(variant && { variant }), ...(size && { size }) };
  const shared = {
    ref: triggerRef,
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    disabledReason,
    popoverTarget: disabledReason === undefined && !busy ? id : undefined,
    onKeyDown: openByArrow,
  } as const;
  return (
    <>
      {trigger.text === undefined ? (
        <IconButton {...shared} label={label} icon={trigger.icon} />
      ) : (
        <Button
          {...shared}
          {...buttonProps}
          busy={busy}
          icon={trigger.icon}
          aria-label={typeof trigger.text === 'string' ? undefined : label}
        >
          {trigger.text}
        </Button>
      )}
      <div
        ref={popup}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className={cx(POPUP, ALIGN[align])}
        {...handlers}
        onKeyDown={(event) => moveByKey(event, popup.current)}
      >
        {isOpen && <MenuItems items={items} onSelect={select} />}
      </div>
    </>
  );
}

/** Opens the popover of a button with the down arrow. */
function openByArrow(event: KeyboardEvent<HTMLButtonElement>): void {
  if (event.key !== 'ArrowDown') return;
  event.preventDefault();
  // The focus moves into an open popover a moment later. Until then, another key press must not close it.
  if (!event.currentTarget.popoverTargetElement?.matches(':popover-open')) event.currentTarget.click();
}

type Pick = (all: HTMLElement[], current: number) => HTMLElement | undefined;

/** Moves the focus to the button of a menu inside another popover: the browser returns it only from the outer one. */
function returnFocusInPopover(popup: HTMLElement): void {
  const trigger = popup.previousElementSibling;
  if (trigger instanceof HTMLElement && trigger.closest('[popover]') && popup.contains(document.activeElement))
    trigger.focus();
}

function focusItem(popup: HTMLElement | null, pick: Pick): void {
  const all = [...(popup?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  pick(all, all.indexOf(document.activeElement as HTMLElement))?.focus();
}

function isChecked(item: HTMLElement): boolean {
  return item.getAttribute('aria-checked') === 'true';
}

const MOVES: { [key: string]: Pick } = {
  ArrowDown: (all, current) => all[(current + 1) % all.length],
  ArrowUp: (all, current) => all.at(current < 0 ? -1 : current - 1),
  Home: (all) => all[0],
  End: (all) => all.at(-1),
};

/** Keyboard navigation of a menu: arrows, Home, End, and the first letters of an item. */
function moveByKey(event: KeyboardEvent, popup: HTMLElement | null): void {
  if (event.key === 'Tab') popup?.hidePopover();
  const search: Pick = (all, current) => findTyped(event, all, current);
  const move = MOVES[event.key] ?? (isSearchKey(event.key) ? search : undefined);
  if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  focusItem(popup, move);
}

const ALIGN = { start: '[position-area:bottom_span-right]', end: '[position-area:bottom_span-left]' };

const POPUP = cx(
  'inset-auto mx-0 my-1.5 max-h-[400px] min-w-44 max-w-80 flex-col overflow-y-auto rounded-card border border-line bg-surface p-1',
  'text-body text-text shadow-overlay outline-none open:flex',
  '[position-try-fallbacks:flip-block,flip-inline,flip-block_flip-inline]',
  'transition-opacity duration-120 starting:open:opacity-0',
);
