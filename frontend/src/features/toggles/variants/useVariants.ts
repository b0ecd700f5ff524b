// Reads and writes a toggle's variants. Each change redistributes the weights and saves the whole toggle.
import { context } from '@/api/endpoints';
import { ApiError, isTemporary } from '@/api/error';
import type { Toggle, Variant } from '@/api/generated/types';
import { useAnnouncedRead } from '@/api/useRead';
import { getStickinessOptions } from '../saving/rules';
import { useToggleSave } from '../saving/useToggleSave';
import { getGroupStickiness, putVariant, removeVariant } from './variantForm';

const NONE: readonly Variant[] = [];

export function getVariants({ variants }: Pick<Toggle, 'variants'>): readonly Variant[] {
  return variants ?? NONE;
}

export function useVariants(toggle: Toggle) {
  const { save, conflict } = useToggleSave();
  const fields = useAnnouncedRead(context).data ?? [];
  const stickiness = getGroupStickiness(getVariants(toggle));

  const change = (base: Toggle, edit: (variants: readonly Variant[]) => Variant[], inline: boolean) =>
    save(base, (one) => ({ ...one, variants: edit(getVariants(one)) }), {
      inline,
      done: `Variants of ${base.name} saved`,
    });

  return {
    variants: getVariants(toggle),
    stickiness,
    /** Stickiness options, including the current value even if the server no longer offers it. */
    stickinessChoices: [...new Set([...getStickinessOptions(fields), stickiness])],
    /** Saves the stickiness of all variants. */
    setStickiness: (chosen: string) =>
      change(toggle, (all) => all.map((variant) => ({ ...variant, stickiness: chosen })), false),
    /** Saves a variant. `base` is the toggle when editing began. Throws, and the dialog shows the error. */
    put: (base: Toggle, variant: Variant, oldName: string | undefined) =>
      change(base, (all) => putVariant(all, variant, oldName), true),
    /** Removes a variant. Throws, and the dialog shows the error. */
    remove: (base: Toggle, name: string) => change(base, (all) => removeVariant(all, name), true),
    conflict,
  };
}

/** Returns a function that rethrows the error of a write. If the server sent no message, the error also says what failed. */
export const throwVariantFailure =
  (action: 'add' | 'remove') =>
  (thrown: unknown): never => {
    const hasNoMessage = thrown instanceof ApiError && isTemporary(thrown);
    throw hasNoMessage ? new Error(`Could not ${action} variant. ${thrown.message}`) : thrown;
  };
