import { Button } from '@/ui/Button';
import { JsonIcon } from '@/ui/icons';
import { SelectField } from '@/ui/SelectField';
import { TextArea } from '@/ui/TextArea';
import { formatJson, payloadTypes, type VariantInput } from './variantForm';

interface Props {
  input: VariantInput;
  error: string | undefined;
  onChange: (input: VariantInput) => void;
}

export function PayloadField({ input, error, onChange }: Props) {
  return (
    <div className="grid gap-3 sm:grid-cols-[120px_minmax(0,1fr)]">
      <div className="grid content-start gap-2">
        <SelectField
          label="Payload type"
          value={input.payloadType}
          options={[...new Set([...payloadTypes, input.payloadType])].map((value) => ({ value, label: value }))}
          onChange={(payloadType) => onChange({ ...input, payloadType })}
        />
        {input.payloadType === 'json' && (
          <Button
            size="small"
            icon={<JsonIcon size={14} />}
            onClick={() => onChange({ ...input, payloadValue: formatJson(input.payloadValue) })}
          >
            Format
          </Button>
        )}
      </div>
      <TextArea
        label="Payload"
        rows={2}
        spellCheck={false}
        className="font-mono"
        value={input.payloadValue}
        error={error}
        onChange={(payloadValue) => onChange({ ...input, payloadValue })}
      />
    </div>
  );
}
