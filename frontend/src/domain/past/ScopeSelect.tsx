import { useRecorder } from '@/api/recorded';
import { Select } from '@/ui/Select';

interface Props {
  /** Id of the selected token; undefined if none could be selected. */
  selected: string | undefined;
  onChange: (scope: string) => void;
}

/** Selects the token whose toggles are shown, because tokens see different ones. Nothing if there is only one. */
export function ScopeSelect({ selected = '', onChange }: Props) {
  const scopes = useRecorder().data?.scopes ?? [];
  if (scopes.length < 2) return null;
  const options = scopes.map(({ id, name, query }) => ({ value: id, label: query === '' ? name : `${name}?${query}` }));
  const isListed = options.some(({ value }) => value === selected);
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span aria-hidden="true">As SDKs got them with the token</span>
      <Select
        label="Token"
        hideLabel
        value={selected}
        options={[...(isListed ? [] : [{ value: selected, label: 'Select a token' }]), ...options]}
        onChange={onChange}
      />
    </span>
  );
}
