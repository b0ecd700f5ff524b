import type { ChangeEvent } from 'react';
import { cx } from '@/lib/cx';
import { ReadOnlyIcon } from './icons';

interface SwitchProps {
  checked: boolean;
  onChange: (next: boolean) => void;
  label: string;
  showLabel?: boolean;
  /** Text beside the switch for each state. The label is then only the accessible name. */
  stateText?: readonly [on: string, off: string];
  /** Hides `stateText` on phones. */
  isNarrowOnPhones?: boolean;
  /** Fills the row, in the colour of the state, with the effect of a tap at its end. */
  isBlock?: boolean;
  /** A request is in progress: the switch changes when it succeeds. */
  pending?: boolean;
  disabledReason?: string | undefined;
  /** Connects the switch with the label and help of a `Field`. */
  control?: { id: string; 'aria-describedby'?: string };
}

export function Switch(props: SwitchProps) {
  const {
    checked,
    onChange,
    label,
    showLabel = false,
    stateText,
    isNarrowOnPhones,
    isBlock = false,
    pending = false,
    disabledReason,
  } = props;
  const inert = pending || disabledReason !== undefined;
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    if (!inert) onChange(event.target.checked);
  };
  return (
    <label
      data-reason={disabledReason}
      className={cx(
        'group/switch relative inline-flex items-center gap-2.5 font-medium touch:min-h-touch touch:min-w-touch',
        isBlock && BLOCK,
        showLabel || stateText ? 'justify-start justify-self-start' : 'justify-center',
        'has-disabled:cursor-not-allowed',
        inert ? 'cursor-not-allowed' : 'cursor-pointer',
      )}
    >
      <input
        {...props.control}
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className="peer absolute inset-0 size-full cursor-[inherit] opacity-0"
        aria-label={showLabel ? undefined : label}
        aria-busy={pending || undefined}
        checked={checked}
        onChange={change}
        {...(disabledReason !== undefined && { 'aria-disabled': true, 'aria-description': disabledReason })}
      />
      <span aria-hidden="true" className={cx(TRACK, isBlock && BLOCK_TRACK, pending && 'animate-pulse')}>
        <span className={cx(THUMB, checked && 'translate-x-3.5', pending && 'scale-75')}>
          <ReadOnlyIcon size={10} strokeWidth={2.5} className={LOCK} />
        </span>
      </span>
      {showLabel && <span>{label}</span>}
      {stateText && (
        <span aria-hidden="true" className={cx(isNarrowOnPhones && 'max-sm:hidden')}>
          {checked ? stateText[0] : stateText[1]}
        </span>
      )}
      {isBlock && disabledReason === undefined && (
        <span aria-hidden="true" className="ml-auto font-normal text-secondary">
          {describeTap(checked, pending)}
        </span>
      )}
    </label>
  );
}

export const ENABLED_TEXT = ['Enabled', 'Disabled'] as const;

function describeTap(checked: boolean, pending: boolean): string {
  const next = checked ? 'off' : 'on';
  return pending ? `Switching ${next}…` : `Tap to switch ${next}`;
}

/** The state stays readable if it cannot be changed: its colour is less saturated, and the knob shows a lock. */
const TRACK = cx(
  'pointer-events-none flex h-5 w-[34px] shrink-0 items-center rounded-full border border-line-control bg-off px-px transition-colors duration-150',
  'peer-checked:border-switch-on peer-checked:bg-switch-on',
  'peer-checked:peer-disabled:border-switch-locked peer-checked:peer-disabled:bg-switch-locked',
  'peer-checked:peer-aria-disabled:border-switch-locked peer-checked:peer-aria-disabled:bg-switch-locked',
  'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent',
);

const THUMB =
  'grid size-4 place-items-center rounded-full bg-knob shadow-card transition-transform duration-150 forced-colors:border';

const LOCK = 'hidden text-knob-mark group-has-disabled/switch:block group-has-aria-disabled/switch:block';

const BLOCK = cx(
  'min-h-12! w-full rounded-card border border-line-control bg-surface px-3.5 shadow-card',
  'has-checked:border-switch-on has-checked:bg-switch-on has-checked:text-knob has-checked:forced-color-adjust-none',
  'has-checked:has-aria-disabled:border-switch-locked has-checked:has-aria-disabled:bg-switch-locked',
);

const BLOCK_TRACK = 'peer-checked:border-knob!';
