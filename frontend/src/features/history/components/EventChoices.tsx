import type { ReactNode } from 'react';
import type { Event } from '@/api/generated/types';
import { cx } from '@/lib/cx';
import { TagIcon, UserIcon } from '@/ui/icons';
import { Select } from '@/ui/Select';
import { type EventFilter, filterChoices } from '../eventFilter';

export interface EventChoicesProps {
  events: readonly Event[];
  filter: EventFilter;
  onChange: (part: Partial<EventFilter>) => void;
  hideLabels?: boolean;
}

/** Selects the user and the type of the events. */
export function EventChoices({ events, filter, onChange, hideLabels = false }: EventChoicesProps) {
  return (
    <>
      <Choice
        label="Changed by"
        icon={<UserIcon />}
        anyText="Anyone"
        value={filter.user}
        known={filterChoices(events, 'createdBy')}
        hideLabel={hideLabels}
        onChange={(user) => onChange({ user })}
      />
      <Choice
        label="Type"
        icon={<TagIcon />}
        anyText="Any type"
        value={filter.type}
        known={filterChoices(events, 'type')}
        hideLabel={hideLabels}
        onChange={(type) => onChange({ type })}
      />
    </>
  );
}

interface ChoiceProps {
  label: string;
  icon: ReactNode;
  anyText: string;
  value: string;
  known: readonly string[];
  hideLabel: boolean;
  onChange: (value: string) => void;
}

/** Select with the values of the loaded events, plus the value of the URL. */
function Choice({ anyText, known, ...rest }: ChoiceProps) {
  const { value } = rest;
  const values = value === '' || known.includes(value) ? known : [value, ...known];
  const options = [{ value: '', label: anyText }, ...values.map((one) => ({ value: one, label: one }))];
  return (
    <span className={cx('grid', rest.hideLabel && 'max-w-52')}>
      <Select options={options} {...rest} />
    </span>
  );
}
