import { type FormEvent, type ReactNode, useState } from 'react';
import { toUtc } from '@/shared/timeRange';
import { Button } from '@/ui/Button';
import { DateTimeField, toLocalTime } from '@/ui/DateTimeField';
import { type Schedule, validateSchedule } from './schedule';

interface Props {
  id: string;
  schedule: Schedule;
  warning: ReactNode;
  onSubmit: (schedule: Schedule) => void;
}

/** The form of a schedule: local times, and the times in UTC as which they are stored. */
export function ScheduleForm({ id, schedule, warning, onSubmit }: Props) {
  const from = useTime(schedule.from);
  const until = useTime(schedule.until);
  const [error, setError] = useState<string>();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // The browser reports a time of which only parts are typed as an empty one.
    const hasPart = event.currentTarget.querySelector('input:invalid') !== null;
    const isMissing = from.value === undefined && until.value === undefined;
    const chosen = { from: from.value, until: until.value };
    const problem =
      hasPart || isMissing || from.isInvalid || until.isInvalid ? 'Enter a date and a time.' : validateSchedule(chosen);
    setError(problem);
    if (problem === undefined) onSubmit(chosen);
  }

  return (
    <form id={id} noValidate className="grid gap-4" onSubmit={submit} onChange={() => setError(undefined)}>
      <p className="text-muted text-secondary">
        Times in {Intl.DateTimeFormat().resolvedOptions().timeZone}, the time zone of this browser. An empty field sets
        no limit.
      </p>
      <div className="grid gap-4 sm:grid-cols-2">
        <DateTimeField label="From" {...from.field} />
        <DateTimeField label="Until" {...until.field} error={error} />
      </div>
      {warning && <div className="text-secondary empty:hidden">{warning}</div>}
      {(schedule.from ?? schedule.until) !== undefined && (
        <Button size="small" className="justify-self-start" onClick={() => onSubmit({})}>
          Remove from / until
        </Button>
      )}
    </form>
  );
}

/** A time that is edited as local time. Unchanged, it keeps its seconds. */
function useTime(stored: string | undefined) {
  const initialValue = toLocalTime(stored);
  const [local, setLocal] = useState(initialValue);
  const edited = toUtc(local);
  const value = local === initialValue ? stored : edited || undefined;
  const help = value && `${new Date(value).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return { value, isInvalid: edited === undefined, field: { initialValue, help, onChange: setLocal } };
}
