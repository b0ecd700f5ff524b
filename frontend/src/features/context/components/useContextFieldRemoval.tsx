import { features } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import { useRemoval } from '@/shared/useRemoval';
import { contextFields } from '../contextFields';
import { builtInFields } from '../rules';
import { togglesUsingField } from '../togglesUsingField';

export function useContextFieldRemoval() {
  return useRemoval(contextFields, ({ name }) => ({
    name,
    consequences: (
      <>
        can no longer be selected. {builtInFields.includes(name) && 'It is built-in: client SDKs still send it. '}
        <FieldUsage field={name} />
      </>
    ),
  }));
}

const MAX_NAMES = 5;

/** Sentence that names the toggles with the field. */
function FieldUsage({ field }: { field: string }) {
  const { data, error } = useRead(features);
  if (error && !data) return 'The toggles that use it could not be loaded.';
  if (!data) return 'Loading the toggles that use it…';
  const names = togglesUsingField(field, data.features);
  if (names.length === 0) return 'No active toggle uses it.';
  const more = names.length - MAX_NAMES;
  return (
    <>
      These toggles use it and will not be changed:{' '}
      <b className="wrap-anywhere text-text">{names.slice(0, MAX_NAMES).join(', ')}</b>
      {more > 0 && ` and ${more} more`}.
    </>
  );
}
