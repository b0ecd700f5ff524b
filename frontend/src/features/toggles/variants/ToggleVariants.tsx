import { useCapabilities } from '@/api/capabilities';
import type { Toggle, Variant } from '@/api/generated/types';
import { usePrompt } from '@/lib/prompt';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { AddIcon, VariantIcon } from '@/ui/icons';
import { useConfirm } from '@/ui/useConfirm';
import { throwVariantFailure, useVariants } from './useVariants';
import { VariantBar } from './VariantBar';
import { VariantDialog, type VariantEdit } from './VariantDialog';
import { VariantStickiness } from './VariantStickiness';
import { VariantTable } from './VariantTable';

interface Props {
  toggle: Toggle;
  readOnlyReason?: string | undefined;
}

const NO_STICKINESS = 'Servers before 3.12 do not store the stickiness of variants.';

/** Variants tab of a toggle. */
export function ToggleVariants({ toggle, readOnlyReason }: Props) {
  const { variants, remove, conflict, ...group } = useVariants(toggle);
  const { storesVariantsInStrategies: storesInStrategies, storesVariantStickiness } = useCapabilities();
  const stickinessReason = storesVariantStickiness ? undefined : NO_STICKINESS;
  const [editing, edit] = usePrompt<VariantEdit>();
  const open = (variant?: Variant) => void editing.ask({ base: toggle, ...(variant && { variant }) });
  const removal = useConfirm<{ base: Toggle; variant: Variant }>(({ base, variant }) => ({
    title: `Remove ${variant.name}`,
    body: (
      <>
        Are you sure you want to remove this variant? Its weight goes to the variable variants.
        {conflict}
      </>
    ),
    confirmLabel: 'Remove',
    tone: 'danger',
    action: async () => {
      const removed = await remove(base, variant.name).catch(throwVariantFailure('remove'));
      if (!removed) throw new Error('Removal cancelled. Nothing was changed.');
    },
  }));
  return (
    <section aria-labelledby="variants-heading" className="grid gap-3">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-baseline gap-x-2.5">
          <h2 id="variants-heading" className="font-semibold">
            Variants
          </h2>
          <p className="text-muted">Served to users who get the feature</p>
        </div>
        {/* The same button with and without variants, because the focus returns to it after the first one is added. */}
        <Button icon={<AddIcon />} disabledReason={readOnlyReason} onClick={() => open()}>
          {storesInStrategies && variants.length === 0 ? 'Create anyway' : 'Add variant'}
        </Button>
      </header>
      {variants.length === 0 ? (
        <Card>
          {storesInStrategies ? (
            <EmptyState icon={<VariantIcon size={20} />} title="This server stores variants in strategies.">
              The Activation tab shows them. Variants of the whole toggle are deprecated on this server.
            </EmptyState>
          ) : (
            <EmptyState icon={<VariantIcon size={20} />} title="No variants">
              Variants serve different values to different shares of users, such as the colour of a button.
            </EmptyState>
          )}
        </Card>
      ) : (
        <>
          <VariantBar variants={variants} />
          <VariantTable
            variants={variants}
            readOnlyReason={readOnlyReason}
            onEdit={open}
            onRemove={(variant) => void removal.ask({ base: toggle, variant })}
          />
        </>
      )}
      {variants.length > 1 && <VariantStickiness {...group} readOnlyReason={readOnlyReason ?? stickinessReason} />}
      {edit && (
        // The key makes each opening start from the current variant.
        <VariantDialog
          key={edit.number}
          prompt={editing}
          {...edit.question}
          stickiness={group.stickiness}
          put={group.put}
          conflict={conflict}
        />
      )}
      {removal.dialog}
      {/* While a dialog is open, it renders the conflict itself. */}
      {!edit?.open && !removal.isOpen && conflict}
    </section>
  );
}
