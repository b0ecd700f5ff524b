import type { ChangeEvent } from 'react';
import { cx } from '@/lib/cx';

interface SwitchProps {
  checked: boolean;
  onChange: (next: boolean) => void;
  label: string;
  showLabel?: boolean;
  /** Text beside the switch for each state. The label is then only the accessible name. */
  stateText?: readonly [on: string, off: string];
  /** Hides `stateText` on phones. */
  isNarrowOnPhones?: boolean;
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
        'relative inline-flex items-center gap-2.5 font-medium touch:min-h-touch touch:min-w-touch',
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
      <span aria-hidden="true" className={cx(TRACK, pending && 'animate-pulse')}>
        <span className={cx(THUMB, checked ? 'translate-x-3.5 bg-on-accent' : 'bg-knob', pending && 'scale-75')} />
      </span>
      {showLabel && <span>{label}</span>}
      {stateText && (
        <span aria-hidden="true" className={cx(isNarrowOnPhones && 'max-sm:hidden')}>
          {checked ? stateText[0] : stateText[1]}
        </span>
      )}
    </label>
  );
}

export const ENABLED_TEXT = ['Enabled', 'Disabled'] as const;

const TRACK = cx(
  'pointer-events-none flex h-5 w-[34px] shrink-0 items-center rounded-full border border-line-control bg-off px-px transition-colors duration-150',
  'peer-checked:border-on peer-checked:bg-on',
  // Not half transparent: the state must be visible even if it cannot be changed.
  'peer-checked:peer-disabled:border-muted peer-checked:peer-disabled:bg-muted',
  'peer-checked:peer-aria-disabled:border-muted peer-checked:peer-aria-disabled:bg-muted',
  'peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent',
);

const THUMB = 'size-4 rounded-full forced-colors:border shadow-card transition-transform duration-150';
