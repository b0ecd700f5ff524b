import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '@/ui/Button';
import { AddIcon } from '@/ui/icons';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { addRow, type DefinitionInput, moveRow, rowErrors } from '../definition';
import { ParameterRow } from './ParameterRow';

interface Props {
  rows: DefinitionInput['parameters'];
  onChange: (rows: DefinitionInput['parameters']) => void;
}

/** Editor of the parameters, in the order in which toggles show them. */
export function ParameterRows({ rows, onChange }: Props) {
  const section = useRef<HTMLElement>(null);
  const [announcement, setAnnouncement] = useState('');
  // The name that is being typed is not checked: it may begin like an existing name.
  const [typedKey, setTypedKey] = useState<number>();
  const errors = rowErrors(rows.filter(({ key }) => key !== typedKey));

  /** Changes the rows and moves the focus to the added row, or to the neighbour of the removed row. */
  function changeAndFocus(next: Props['rows'], index: number) {
    flushSync(() => onChange(next));
    const names = section.current?.querySelectorAll<HTMLElement>('[data-parameter-name]');
    const name = names?.[Math.min(index, next.length - 1)];
    (name ?? section.current?.querySelector<HTMLElement>('[data-add]'))?.focus();
  }

  function move(from: number, to: number) {
    onChange(moveRow(rows, from, to));
    setAnnouncement(`Moved to position ${to + 1} of ${rows.length}.`);
  }

  return (
    <section ref={section} aria-labelledby="parameters-heading" className="grid gap-3">
      <h2 id="parameters-heading" className="font-semibold text-section">
        Parameters
      </h2>
      {rows.length === 0 ? (
        <p className="rounded-card border border-line-strong border-dashed px-4 py-3 text-muted text-secondary">
          No parameters. Add a parameter for each value that your applications need, such as a list of regions.
        </p>
      ) : (
        <p className="text-muted text-secondary">
          Each toggle sets values for these parameters. Rows without a name are not saved.
        </p>
      )}
      {rows.map(({ key, parameter }, index) => (
        <ParameterRow
          key={key}
          parameter={parameter}
          index={index}
          count={rows.length}
          error={errors.get(key)}
          onChange={(changed) => onChange(rows.with(index, { key, parameter: changed }))}
          onTyping={(isTyping) => setTypedKey(isTyping ? key : undefined)}
          onMove={(to) => move(index, to)}
          onRemove={() => changeAndFocus(rows.toSpliced(index, 1), index)}
        />
      ))}
      <Button
        data-add
        className="justify-self-start"
        icon={<AddIcon />}
        onClick={() => changeAndFocus(addRow(rows), rows.length)}
      >
        Add parameter
      </Button>
      <VisuallyHidden>
        <span role="status">{announcement}</span>
      </VisuallyHidden>
    </section>
  );
}
