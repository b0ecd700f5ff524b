// Keyboard navigation of a menu with an optional filter field.
import type { KeyboardEvent } from 'react';

/** Arrows, Home and End move between the items; Enter in the filter chooses the first; letters filter or move. */
export function moveInMenu(event: KeyboardEvent<HTMLElement>): void {
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
