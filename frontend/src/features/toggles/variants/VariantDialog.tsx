import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { Toggle, Variant } from '@/api/generated/types';
import { useLeaveGuard } from '@/lib/leaveGuard';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { FailureText } from '@/ui/FailureText';
import { TextField } from '@/ui/TextField';
import { BUSY, useDialogRequest } from '@/ui/useDialogRequest';
import { OverridesField } from './OverridesField';
import { PayloadField } from './PayloadField';
import { getVariants, throwVariantFailure } from './useVariants';
import { isSameInput, toVariant, toVariantInput, type VariantErrors, validateVariant } from './variantForm';
import { WeightField } from './WeightField';

interface Props {
  open: boolean;
  /** The toggle when editing began. */
  base: Toggle;
  /** Absent for a new variant. */
  variant?: Variant;
  /** Stickiness of all variants. */
  stickiness: string;
  put: (base: Toggle, variant: Variant, oldName: string | undefined) => Promise<boolean>;
  conflict: ReactNode;
  onClose: () => void;
}

export function VariantDialog({ open, base, variant, stickiness, put, conflict, onClose }: Props) {
  const form = useId();
  const [start] = useState(() => toVariantInput(variant));
  const [input, setInput] = useState(start);
  const [errors, setErrors] = useState<VariantErrors>({});
  const { busy, failure, run } = useDialogRequest();
  useLeaveGuard(open && !isSameInput(input, start));
  const others = getVariants(base).filter(({ name }) => name !== variant?.name);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const found = validateVariant(input, others);
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    await run(async () => {
      const stored = await put(base, toVariant(input, variant, stickiness), variant?.name).catch(throwVariantFailure);
      if (stored) onClose();
    });
  }

  return (
    <Dialog
      open={open}
      busy={busy}
      onClose={onClose}
      title={variant ? `Edit ${variant.name}` : 'Add variant'}
      actions={
        <>
          <Button disabledReason={busy ? BUSY : undefined} onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" form={form} busy={busy}>
            Save
          </Button>
        </>
      }
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
        {failure && <FailureText failure={failure} />}
      </form>
      {conflict}
    </Dialog>
  );
}
