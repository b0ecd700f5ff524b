import { useState } from 'react';
import { Button } from '@/ui/Button';
import { DateTimeField } from '@/ui/DateTimeField';
import { type EventFilter, toLocalTime, toUtc } from '../eventFilter';

interface Props {
  from: string;
  until: string;
  onChange: (part: Partial<EventFilter>) => void;
}

const HOUR_MS = 3_600_000;

const PRESETS = [
  { label: 'Last hour', hours: 1 },
  { label: 'Last day', hours: 24 },
  { label: 'Last week', hours: 168 },
] as const;

export function TimeRangePanel({ from, until, onChange }: Props) {
  const [presetCount, setPresetCount] = useState(0);
  const choose = (part: Pick<EventFilter, 'from' | 'until'>) => {
    // The fields are uncontrolled while the user types. A preset remounts them with its values.
    setPresetCount(presetCount + 1);
    onChange(part);
  };
  const since = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap gap-2">
        {PRESETS.map(({ label, hours }) => (
          <Button key={label} size="small" onClick={() => choose({ from: since(hours), until: '' })}>
            {label}
          </Button>
        ))}
        <Button size="small" onClick={() => choose({ from: '', until: '' })}>
          Any time
        </Button>
      </div>
      <MomentField
        key={`from ${presetCount}`}
        label="From"
        value={from}
        onChange={(moment) => onChange({ from: moment })}
      />
      <MomentField
        key={`until ${presetCount}`}
        label="Until"
        value={until}
        onChange={(moment) => onChange({ until: moment })}
      />
    </div>
  );
}

interface MomentProps {
  label: string;
  value: string;
  onChange: (moment: string) => void;
}

function MomentField({ label, value, onChange }: MomentProps) {
  return (
    <DateTimeField
      label={label}
      initialValue={toLocalTime(value)}
      onChange={(localTime) => {
        const moment = toUtc(localTime);
        if (moment !== undefined) onChange(moment);
      }}
    />
  );
}
