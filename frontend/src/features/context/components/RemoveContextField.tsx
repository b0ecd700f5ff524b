import { features } from '@/api/endpoints';
import type { ContextField } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { RemoveDialog } from '@/ui/RemoveDialog';
import { builtInFields } from '../rules';
import { togglesUsingField } from '../togglesUsingField';
import { useContextFieldWrites } from '../useContextFields';

interface Props {
  field: ContextField | undefined;
  open: boolean;
  onClose: () => void;
}

export function RemoveContextField({ field, open, onClose }: Props) {
  const { remove } = useContextFieldWrites();
  return (
    <RemoveDialog
      open={open}
      noun="context field"
      name={field?.name}
      onRemove={async () => {
        if (field) await remove(field);
      }}
      onClose={onClose}
    >
      is no longer offered.{' '}
      {field && builtInFields.includes(field.name) && 'It is built in: client libraries still send it. '}
      {open && field && <FieldUsage field={field.name} />}
    </RemoveDialog>
  );
}

const NAMED = 5;

/** Whom it concerns, in a sentence. */
function FieldUsage({ field }: { field: string }) {
  const { data, error } = useRead(features);
  if (error && !data) return 'Which toggles use it could not be looked up.';
  if (!data) return 'Looking up which toggles use it …';
  const names = togglesUsingField(field, data.features);
  if (names.length === 0) return 'No toggle in use has it in its constraints or sticks to it.';
  const more = names.length - NAMED;
  return (
    <>
      These toggles still use it, and go on doing so:{' '}
      <b className="wrap-anywhere text-text">{names.slice(0, NAMED).join(', ')}</b>
      {more > 0 && ` and ${more} more`}.
    </>
  );
}
