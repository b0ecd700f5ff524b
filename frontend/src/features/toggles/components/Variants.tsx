import { Plus, Split } from 'lucide-react';
import { useState } from 'react';
import type { Toggle, Variant } from '@/api/generated/types';
import { useDialogSubject } from '@/lib/useDialogSubject';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { EmptyState } from '@/ui/EmptyState';
import { throwVariantFailure, useVariants } from '../useVariants';
import { VariantBar } from './VariantBar';
import { VariantDialog } from './VariantDialog';
import { VariantStickiness } from './VariantStickiness';
import { VariantTable } from './VariantTable';

interface Props {
  toggle: Toggle;
  readOnly?: string | undefined;
}

/** What those who get the feature get of it. */
export function Variants({ toggle, readOnly }: Props) {
  const { variants, remove, conflict, ...group } = useVariants(toggle);
  const editing = useDialogSubject<{ base: Toggle; variant?: Variant }>();
  const removing = useDialogSubject<{ base: Toggle; variant: Variant }>();
  // Counts openings: each begins with the variant as it is.
  const [opening, setOpening] = useState(0);
  const open = (variant?: Variant) => {
    setOpening((count) => count + 1);
    editing.ask({ base: toggle, ...(variant && { variant }) });
  };
  const add = (
    <Button
      icon={<Plus size={16} strokeWidth={1.75} aria-hidden="true" />}
      disabledReason={readOnly}
      onClick={() => open()}
    >
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
          <p className="text-muted">what those who get the feature get</p>
        </div>
        {variants.length > 0 && add}
      </header>
      {variants.length === 0 ? (
        <Card>
          <EmptyState
            icon={<Split size={20} strokeWidth={1.75} aria-hidden="true" />}
            title="No variants"
            actions={add}
          >
            With variants, one toggle gives different users different things, such as the colour of a button, each to
            its share of them.
          </EmptyState>
        </Card>
      ) : (
        <>
          <VariantBar variants={variants} />
          <VariantTable
            variants={variants}
            readOnly={readOnly}
            onEdit={open}
            onRemove={(variant) => removing.ask({ base: toggle, variant })}
          />
        </>
      )}
      {variants.length > 1 && <VariantStickiness {...group} readOnly={readOnly} />}
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
            Are you sure you want to remove this variant? Its share goes to the variable ones, and its users with it.
            {conflict}
          </>
        }
        confirmLabel="Remove"
        tone="danger"
        onConfirm={async () => {
          const { base, variant } = removing.subject ?? {};
          if (!base || !variant) return;
          const removed = await remove(base, variant.name).catch(throwVariantFailure);
          if (!removed) throw new Error('Nothing was removed.');
        }}
        onClose={removing.close}
      />
      {/* In the dialog that saves, if there is one. */}
      {!editing.open && !removing.open && conflict}
    </section>
  );
}
