import type { MouseEvent } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '@/ui/Button';
import { RemoveIcon } from '@/ui/icons';
import { focusField } from './focusStrategy';

interface Props {
  name: string;
  onKeep: () => void;
}

/** Stands for a strategy that the next save removes. */
export function RemovedStrategy({ name, onKeep }: Props) {
  const keep = ({ currentTarget }: MouseEvent) => {
    const item = currentTarget.closest('li');
    flushSync(onKeep);
    if (item) focusField(item);
  };
  return (
    <fieldset
      aria-label={`${name}, removed`}
      className="flex min-h-13 min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 rounded-card border border-dirty border-dashed py-2 pr-2 pl-4"
    >
      <RemoveIcon size={17} className="shrink-0 text-muted" />
      <s className="wrap-anywhere min-w-0 font-semibold">{name}</s>
      <p className="flex-1 text-dirty text-secondary">Removed when you save</p>
      <Button size="small" aria-label={`Keep ${name}`} onClick={keep}>
        Keep
      </Button>
    </fieldset>
  );
}
