// The variants of a toggle: they are saved with it, and each change shares the weights anew.
import { context } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { Toggle, Variant } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { stickinessOptions } from './rules';
import { useToggleSave } from './useToggleSave';
import { groupStickiness, putVariant, removeVariant } from './variantForm';

const NONE: readonly Variant[] = [];

export function variantsOf({ variants }: Pick<Toggle, 'variants'>): readonly Variant[] {
  return variants ?? NONE;
}

export function useVariants(toggle: Toggle) {
  const { save, conflict } = useToggleSave(toggle);
  const fields = useRead(context).data ?? [];
  const stickiness = groupStickiness(variantsOf(toggle));

  const change = (base: Toggle, edit: (variants: readonly Variant[]) => Variant[], inline: boolean) =>
    save(base, (one) => ({ ...one, variants: edit(variantsOf(one)) }), { inline });

  return {
    variants: variantsOf(toggle),
    stickiness,
    /** What the group may stick to; what it does stick to is among it, even where the server no longer offers it. */
    stickinessChoices: [...new Set([...stickinessOptions(fields), stickiness])],
    /** Saved at once. */
    stickTo: (chosen: string) =>
      change(toggle, (all) => all.map((variant) => ({ ...variant, stickiness: chosen })), false),
    /** `base` is the toggle that the edit began with. Throws: the dialog shows why. */
    put: (base: Toggle, variant: Variant, oldName: string | undefined) =>
      change(base, (all) => putVariant(all, variant, oldName), true),
    /** Throws: the dialog shows why. */
    remove: (base: Toggle, name: string) => change(base, (all) => removeVariant(all, name), true),
    conflict,
  };
}

/** Rethrows the error of a save; an error without a message of the server also says what failed. */
export function throwVariantFailure(thrown: unknown): never {
  const hasNoMessage = thrown instanceof ApiError && (thrown.status === 0 || thrown.status >= 500);
  throw hasNoMessage ? new Error(`Could not add variant. ${thrown.message}`) : thrown;
}
