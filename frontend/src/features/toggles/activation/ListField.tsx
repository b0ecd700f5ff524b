import { splitList } from '@/lib/splitList';
import { ChipsField } from '@/ui/ChipsField';
import type { FieldText } from '@/ui/Field';

interface Props extends Omit<FieldText, 'error'> {
  /** Comma-separated values, as sent to the server. */
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
