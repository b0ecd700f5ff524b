import { splitList } from '@/lib/splitList';
import { ChipsField } from '@/ui/ChipsField';

interface Props {
  label: string;
  help?: string;
  /** Comma-separated, as on the wire. */
  value: string;
  onChange: (value: string) => void;
}

export function ListField({ value, onChange, ...text }: Props) {
  return (
    <div className="sm:col-span-2">
      <ChipsField {...text} entries={splitList(value)} onChange={(entries) => onChange(entries.join(','))} />
    </div>
  );
}
