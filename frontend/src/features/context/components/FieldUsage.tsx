import { useTogglesWithStrategies } from '@/api/reads';
import { NameList } from '@/ui/NameList';
import { togglesUsingField } from '../togglesUsingField';

/** Sentence that names the toggles with the field. */
export function FieldUsage({ field }: { field: string }) {
  const { data, error } = useTogglesWithStrategies();
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
