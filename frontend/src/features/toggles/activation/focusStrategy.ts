// Focus in the cards of strategies after an action of the user changed them.

import type { RuleTarget } from './RuleSentence';

interface Target {
  /** Label of a field. */
  label?: string | undefined;
  /** Number of a constraint. */
  constraint?: number | undefined;
}

/** Focuses a field in the card at this index, and selects its value: by default the first field that accepts typing. */
export function focusStrategy(list: HTMLElement | null, at: number, { label, constraint }: Target = {}): void {
  const card = list?.children[at] ?? list?.lastElementChild;
  if (!card) return;
  const labels = [...card.querySelectorAll('label')];
  const control = labels.find(({ textContent }) => label !== undefined && textContent?.trim() === label)?.control;
  const row = constraint === undefined ? null : card.querySelector(`[aria-label="Constraint ${constraint}"]`);
  if (control instanceof HTMLInputElement) focusInput(control);
  // The first fields of a constraint already have values.
  else focusField(row?.querySelector('[data-values]') ?? row ?? card);
}

/** Focuses the field of a word of a rule. */
export function focusTarget(row: Element, target: RuleTarget): void {
  if (target === 'rule') {
    focusField(row);
    return;
  }
  if (target === 'segments') {
    focusField(row.querySelector('[data-segments]') ?? row);
    return;
  }
  const part =
    'constraint' in target
      ? row.querySelector(`[aria-label="Constraint ${target.constraint + 1}"]`)
      : row.querySelector(`[data-parameter="${CSS.escape(target.parameter)}"]`);
  if (part) focusField(part.querySelector('[data-values]') ?? part);
}

const FIELD = ':is(input:not([type=range]), select)';

/** Focuses the first parameter, or else the first field, the Save button or another button. */
export function focusField(card: Element): void {
  const selectors = [`[data-parameters] ${FIELD}`, FIELD, '[data-add-constraint]', '[aria-label^="Save "]', 'button'];
  const field = selectors.reduce<HTMLElement | null>(
    (found, selector) => found ?? card.querySelector<HTMLElement>(selector),
    null,
  );
  if (field instanceof HTMLInputElement) focusInput(field);
  else field?.focus();
}

function focusInput(input: HTMLInputElement): void {
  input.focus();
  input.select();
}
