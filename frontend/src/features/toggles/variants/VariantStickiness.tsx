import { Card } from '@/ui/Card';
import { Field } from '@/ui/Field';
import { SelectField } from '@/ui/SelectField';

interface Props {
  stickiness: string;
  stickinessChoices: readonly string[];
  setStickiness: (chosen: string) => Promise<boolean>;
  readOnlyReason: string | undefined;
}

const HELP = 'Which ID keeps a user on the same variant. Default: userId, then sessionId, then random.';

/** Stickiness of all variants of a toggle, which must be the same for the weights to add up. */
export function VariantStickiness({ stickiness, stickinessChoices, setStickiness, readOnlyReason }: Props) {
  return (
    <Card>
      <div className="max-w-100">
        {readOnlyReason === undefined ? (
          <SelectField
            label="Stickiness"
            help={HELP}
            value={stickiness}
            options={stickinessChoices.map((value) => ({ value, label: value }))}
            onChange={(chosen) => void setStickiness(chosen)}
          />
        ) : (
          <Field label="Stickiness" help={HELP}>
            {(control) => (
              <output {...control} data-reason={readOnlyReason}>
                {stickiness}
              </output>
            )}
          </Field>
        )}
      </div>
    </Card>
  );
}
