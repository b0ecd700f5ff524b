import { features } from '@/api/endpoints';
import type { ContextField } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { NameList } from '@/ui/NameList';
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
      can no longer be selected.{' '}
      {field && builtInFields.includes(field.name) && 'It is built-in: client SDKs still send it. '}
      {open && field && <FieldUsage field={field.name} />}
    </RemoveDialog>
  );
}

/** Sentence that names the toggles with the field. */
function FieldUsage({ field }: { field: string }) {
  const { data, error } = useRead(features);
  if (error && !data) return 'The toggles that use it could not be loaded.';
  if (!data) return 'Loading the toggles that use it…';
  const names = togglesUsingField(field, data.features);
  if (names.length === 0) return 'No active toggle uses it.';
  return (
    <>
      These toggles use it and will not be changed: <NameList names={names} />.
    </>
  );
}
