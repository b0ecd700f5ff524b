import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { Toggle, Variant } from '@/api/generated/types';
import type { Prompt } from '@/lib/prompt';
import { useStore } from '@/lib/store';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { PromptDialog } from '@/ui/PromptDialog';
import { TextField } from '@/ui/TextField';
import { OverridesField } from './OverridesField';
import { PayloadField } from './PayloadField';
import { getVariants, throwVariantFailure } from './useVariants';
import { isSameInput, toVariant, toVariantInput, type VariantErrors, validateVariant } from './variantForm';
import { WeightField } from './WeightField';

/** A variant to edit. */
export interface VariantEdit {
  /** The toggle when editing began. */
  base: Toggle;
  /** Absent for a new variant. */
  variant?: Variant;
}

interface Props extends VariantEdit {
  prompt: Prompt<VariantEdit>;
  /** Stickiness of all variants. */
  stickiness: string;
  put: (base: Toggle, variant: Variant, oldName: string | undefined) => Promise<boolean>;
  conflict: ReactNode;
}

export function VariantDialog({ prompt, base, variant, stickiness, put, conflict }: Props) {
  const form = useId();
  const [start] = useState(() => toVariantInput(variant));
  const [input, setInput] = useState(start);
  const [errors, setErrors] = useState<VariantErrors>({});
  const isOpen = useStore(prompt.store)?.open ?? false;
  useLeaveGuard(isOpen && !isSameInput(input, start));
  const others = getVariants(base).filter(({ name }) => name !== variant?.name);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const found = validateVariant(input, others);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    await prompt.run(async () => {
      const stored = await put(base, toVariant(input, variant, stickiness), variant?.name).catch(
        throwVariantFailure('add'),
      );
      return stored ? true : undefined;
    });
  }

  return (
    <PromptDialog
      prompt={prompt}
      title={variant ? `Edit ${variant.name}` : 'Add variant'}
      submitLabel="Save"
      onSubmit={{ form }}
    >
      <form id={form} noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <TextField
          label="Name"
          required
          autoComplete="off"
          spellCheck={false}
          value={input.name}
          error={errors.name}
          onChange={(name) => setInput({ ...input, name })}
        />
        <WeightField input={input} others={others} error={errors.weight} onChange={setInput} />
        <PayloadField input={input} error={errors.payload} onChange={setInput} />
        <OverridesField input={input} error={errors.overrides} onChange={setInput} />
      </form>
      {conflict}
    </PromptDialog>
  );
}
