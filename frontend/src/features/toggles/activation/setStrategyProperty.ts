// Edits of properties that only newer servers have. Returning to the stored value leaves the strategy as it was.
import type { Strategy } from '@/api/generated/types';

export function setTitle(strategy: Strategy, title: string, base: Strategy | undefined): Strategy {
  return setProperty(strategy, 'title', title, base);
}

export function setDisabled(strategy: Strategy, disabled: boolean, base: Strategy | undefined): Strategy {
  return setProperty(strategy, 'disabled', disabled, base);
}

/** Servers write a missing value as null or leave the property out. */
function setProperty(
  strategy: Strategy,
  property: 'title' | 'disabled',
  value: string | boolean,
  base: Strategy | undefined,
): Strategy {
  const { [property]: _, ...rest } = strategy;
  if (value || base?.[property]) return { ...rest, [property]: value };
  return base && property in base ? { ...rest, [property]: base[property] } : rest;
}
