import { useState } from 'react';
import type { Toggle, Variant } from '@/api/generated/types';
import { useDialogSubject } from '@/lib/useDialogSubject';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { EmptyState } from '@/ui/EmptyState';
import { AddIcon, VariantIcon } from '@/ui/icons';
import { throwVariantFailure, useVariants } from '../useVariants';
import { VariantBar } from './VariantBar';
import { VariantDialog } from './VariantDialog';
import { VariantStickiness } from './VariantStickiness';
import { VariantTable } from './VariantTable';

interface Props {
  toggle: Toggle;
  readOnlyReason?: string | undefined;
}

/** Variants tab of a toggle. */
export function ToggleVariants({ toggle, readOnlyReason }: Props) {
  const { variants, remove, conflict, ...group } = useVariants(toggle);
  const editing = useDialogSubject<{ base: Toggle; variant?: Variant }>();
  const removing = useDialogSubject<{ base: Toggle; variant: Variant }>();
  // Key of the dialog, so that each opening starts from the current variant.
  const [opening, setOpening] = useState(0);
  const open = (variant?: Variant) => {
    setOpening((count) => count + 1);
    editing.ask({ base: toggle, ...(variant && { variant }) });
  };
  const add = (
    <Button icon={<AddIcon />} disabledReason={readOnlyReason} onClick={() => open()}>
      Add variant
    </Button>
  );
  return (
    <section aria-labelledby="variants-heading" className="grid gap-3">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-baseline gap-x-2.5">
          <h2 id="variants-heading" className="font-semibold">
            Variants
          </h2>
          <p className="text-muted">Served to users who get the feature</p>
        </div>
        {variants.length > 0 && add}
      </header>
      {variants.length === 0 ? (
        <Card>
          <EmptyState icon={<VariantIcon size={20} />} title="No variants" actions={add}>
            Variants serve different values to different shares of users, such as the colour of a button.
          </EmptyState>
        </Card>
      ) : (
        <>
          <VariantBar variants={variants} />
          <VariantTable
            variants={variants}
            readOnlyReason={readOnlyReason}
            onEdit={open}
            onRemove={(variant) => removing.ask({ base: toggle, variant })}
          />
        </>
      )}
      {variants.length > 1 && <VariantStickiness {...group} readOnlyReason={readOnlyReason} />}
      {editing.subject && (
        <VariantDialog
          key={opening}
          open={editing.open}
          {...editing.subject}
          stickiness={group.stickiness}
          put={group.put}
          conflict={conflict}
          onClose={editing.close}
        />
      )}
      <ConfirmDialog
        open={removing.open}
        title={`Remove ${removing.subject?.variant.name ?? 'variant'}`}
        body={
          <>
            Are you sure you want to remove this variant? Its weight goes to the variable variants.
            {conflict}
          </>
        }
        confirmLabel="Remove"
        tone="danger"
        onConfirm={async () => {
          const { base, variant } = removing.subject ?? {};
          if (!base || !variant) return;
          const removed = await remove(base, variant.name).catch(throwVariantFailure);
          if (!removed) throw new Error('Removal cancelled. Nothing was changed.');
        }}
        onClose={removing.close}
      />
      {/* While a dialog is open, it renders the conflict itself. */}
      {!editing.open && !removing.open && conflict}
    </section>
  );
}
