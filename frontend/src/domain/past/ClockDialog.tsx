import { type FormEvent, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { formatMoment, usePastView } from '@/api/pastView';
import { useRecorder } from '@/api/recorded';
import { useLocale } from '@/lib/locale';
import { toPast } from '@/paths';
import { useOpenPage } from '@/shared/navigation';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { toLocalTime } from '@/ui/DateTimeField';
import { Field } from '@/ui/Field';
import { inputClass } from '@/ui/fieldClass';
import { clockPrompt } from './clockPrompt';

const MINUTE_MS = 60_000;

const AGES = [
  { label: '5 min ago', ms: 5 * MINUTE_MS },
  { label: '1 hour ago', ms: 60 * MINUTE_MS },
  { label: '1 day ago', ms: 24 * 60 * MINUTE_MS },
];

interface Props {
  open: boolean;
  onClose: () => void;
}

/** Dialog that chooses the earlier time that the page shows; on pages without a past, that of the toggle list. */
export function ClockDialog(props: Props) {
  return (
    <Dialog {...props} title="As of an earlier time">
      <ClockForm />
    </Dialog>
  );
}

function ClockForm() {
  const view = usePastView();
  const location = useLocation();
  const open = useOpenPage();
  const locale = useLocale();
  const firstRecord = useRecorder().data?.firstRecord ?? undefined;
  const [openedAt] = useState(() => new Date().toISOString());
  const [value, setValue] = useState(() => toLocalTime(view?.at ?? openedAt, 'seconds'));
  const [error, setError] = useState<string>();

  async function show(at: number) {
    const problem = findProblem(at, firstRecord, locale);
    setError(problem);
    if (problem !== undefined) return;
    clockPrompt.close();
    const moment = new Date(at).toISOString().replace('.000Z', 'Z');
    await open(toPast(location, { ...view, at: moment }));
  }

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void show(new Date(value).getTime());
  };
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <Field
        label="Time"
        error={error}
        help={error === undefined && firstRecord !== undefined && describeStart(firstRecord, locale)}
      >
        {(control) => (
          <input
            {...control}
            type="datetime-local"
            step={1}
            min={toLocalTime(firstRecord, 'seconds')}
            max={toLocalTime(openedAt, 'seconds')}
            defaultValue={value}
            onChange={(event) => {
              setValue(event.target.value);
              setError(undefined);
            }}
            className={inputClass}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        {AGES.map(({ label, ms }) => (
          <Button
            key={label}
            size="small"
            disabledReason={findProblem(Date.parse(openedAt) - ms, firstRecord, locale)}
            onClick={() => void show(Date.now() - ms)}
          >
            {label}
          </Button>
        ))}
      </div>
      <Button type="submit" variant="primary">
        Show toggles
      </Button>
    </form>
  );
}

function findProblem(at: number, firstRecord: string | undefined, locale: string): string | undefined {
  if (Number.isNaN(at)) return 'Enter a date and a time.';
  if (at > Date.now()) return 'This time is in the future.';
  if (firstRecord !== undefined && at < Date.parse(firstRecord)) return describeStart(firstRecord, locale);
  return undefined;
}

function describeStart(firstRecord: string, locale: string): string {
  return `The records begin at ${formatMoment(firstRecord, locale)}.`;
}
