import type { ReactNode } from 'react';
import { fieldLabelClass } from '@/ui/fieldClass';
import { EventChoices, type EventChoicesProps } from './EventChoices';
import { TimeRangePanel } from './TimeRangePanel';

interface Props extends EventChoicesProps {
  /** The selected time range, in the selected locale. */
  timeRange: string;
  /** Controls of the view. */
  children: ReactNode;
}

/** Filters and view of the history in the Filter panel, in narrow windows. */
export function EventFilterPanel({ timeRange, children, ...choices }: Props) {
  const { filter, onChange } = choices;
  return (
    <div className="grid gap-4">
      <EventChoices {...choices} />
      <fieldset className="min-w-0">
        <legend className={fieldLabelClass}>Time: {timeRange}</legend>
        <div className="mt-1.5">
          <TimeRangePanel from={filter.from} until={filter.until} onChange={onChange} />
        </div>
      </fieldset>
      <div className="flex items-center justify-between border-line border-t pt-2">{children}</div>
    </div>
  );
}
