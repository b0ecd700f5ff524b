import { Card } from '@/ui/Card';
import { Field } from '@/ui/Field';
import { SelectField } from '@/ui/SelectField';

interface Props {
  stickiness: string;
  stickinessChoices: readonly string[];
  stickTo: (chosen: string) => Promise<boolean>;
  readOnly: string | undefined;
}

const HELP = 'What keeps a user on the same variant. The default takes the user, else the session, else chance.';

/** Of the whole group: variants that stick to different things would not add up. */
export function VariantStickiness({ stickiness, stickinessChoices, stickTo, readOnly }: Props) {
  return (
    <Card>
      <div className="max-w-100">
        {readOnly === undefined ? (
          <SelectField
            label="Stickiness"
            help={HELP}
            value={stickiness}
            options={stickinessChoices.map((value) => ({ value, label: value }))}
            onChange={(chosen) => void stickTo(chosen)}
          />
        ) : (
          <Field label="Stickiness" help={HELP}>
            {(control) => (
              <output {...control} data-reason={readOnly}>
                {stickiness}
              </output>
            )}
          </Field>
        )}
      </div>
    </Card>
  );
}
