import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '@/ui/Button';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { addRow, type DefinitionInput, moveRow, rowErrors } from '../definition';
import { ParameterRow } from './ParameterRow';

interface Props {
  rows: DefinitionInput['parameters'];
  onChange: (rows: DefinitionInput['parameters']) => void;
}

/** The parameters, in the order in which toggles show them. */
export function ParameterRows({ rows, onChange }: Props) {
  const section = useRef<HTMLElement>(null);
  const [told, setTold] = useState('');
  // A longer name may begin with one that exists: the name that is being typed counts once it is complete.
  const [typedKey, setTypedKey] = useState<number>();
  const errors = rowErrors(rows.filter(({ key }) => key !== typedKey));

  /** Whoever adds a row fills it in next; whoever removes one goes on with its neighbour. */
  function changeAndGoTo(next: Props['rows'], place: number) {
    flushSync(() => onChange(next));
    const names = section.current?.querySelectorAll<HTMLElement>('[data-parameter-name]');
    const name = names?.[Math.min(place, next.length - 1)];
    (name ?? section.current?.querySelector<HTMLElement>('[data-add]'))?.focus();
  }

  function move(from: number, to: number) {
    onChange(moveRow(rows, from, to));
    setTold(`Moved to place ${to + 1} of ${rows.length}.`);
  }

  return (
    <section ref={section} aria-labelledby="parameters-heading" className="grid gap-3">
      <h2 id="parameters-heading" className="font-semibold text-section">
        Parameters
      </h2>
      {rows.length === 0 ? (
        <p className="rounded-card border border-line-strong border-dashed px-4 py-3 text-muted text-secondary">
          Without parameters there is nothing to fill in on a toggle. Add one for each value that applications decide
          by, such as a list of regions.
        </p>
      ) : (
        <p className="text-muted text-secondary">What each toggle fills in. A row without a name is left out.</p>
      )}
      {rows.map(({ key, parameter }, index) => (
        <ParameterRow
          key={key}
          parameter={parameter}
          place={index}
          count={rows.length}
          error={errors.get(key)}
          onChange={(changed) => onChange(rows.with(index, { key, parameter: changed }))}
          onTyping={(isTyping) => setTypedKey(isTyping ? key : undefined)}
          onMove={(to) => move(index, to)}
          onRemove={() => changeAndGoTo(rows.toSpliced(index, 1), index)}
        />
      ))}
      <Button
        data-add
        className="justify-self-start"
        icon={<Plus size={16} strokeWidth={1.75} aria-hidden="true" />}
        onClick={() => changeAndGoTo(addRow(rows), rows.length)}
      >
        Add parameter
      </Button>
      <VisuallyHidden>
        <span role="status">{told}</span>
      </VisuallyHidden>
    </section>
  );
}
