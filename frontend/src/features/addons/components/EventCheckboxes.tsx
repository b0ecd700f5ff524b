import { useId } from 'react';
import { cx } from '@/lib/cx';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Checkbox';
import { REQUIRED_MARK } from '@/ui/Field';

interface Props {
  choices: readonly string[];
  chosen: readonly string[];
  error: string | undefined;
  onChange: (chosen: readonly string[]) => void;
}

export function EventCheckboxes({ choices, chosen, error, onChange }: Props) {
  const id = useId();
  const setChosen = (event: string, isChosen: boolean) =>
    onChange(choices.filter((one) => (one === event ? isChosen : chosen.includes(one))));
  return (
    <fieldset
      aria-describedby={error ? `${id}-error` : undefined}
      className="grid min-w-0 gap-3 rounded-card border border-line bg-surface p-4 shadow-card"
    >
      <legend className={cx('float-left w-full font-semibold text-section', REQUIRED_MARK)}>Events</legend>
      <p className="text-muted text-secondary">Sent to this addon.</p>
      <div className="grid gap-x-4 gap-y-2.5 sm:grid-cols-2">
        {choices.map((event) => (
          <Checkbox
            key={event}
            label={event}
            checked={chosen.includes(event)}
            onChange={(isChosen) => setChosen(event, isChosen)}
          />
        ))}
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" tabIndex={-1} className="text-danger text-secondary">
          {error}
        </p>
      )}
      <div className="flex gap-2.5">
        <Button size="small" onClick={() => onChange(choices)}>
          Select all
        </Button>
        <Button size="small" onClick={() => onChange([])}>
          Clear all
        </Button>
      </div>
    </fieldset>
  );
}
