import { Fragment, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Constraint, ContextField } from '@/api/generated/types';
import { Button } from '@/ui/Button';
import { AddIcon } from '@/ui/icons';
import { ConstraintVerdict } from '../lab/ConstraintVerdict';
import { AndWord } from './ConstraintList';
import { ConstraintRow } from './ConstraintRow';
import { newConstraint } from './constraints';
import { removeAt } from './strategyDrafts';

interface Props {
  constraints: readonly Constraint[];
  /** Undefined while loading. */
  fields: readonly ContextField[] | undefined;
  onChange: (constraints: Constraint[]) => void;
}

/** Editor of a strategy's constraints, all of which must match. */
export function ConstraintsEditor({ constraints, fields, onChange }: Props) {
  const rows = useRef<HTMLDivElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  /** Indexes of the constraints whose editors are open. */
  const [open, setOpen] = useState<readonly number[]>([]);
  const [first] = fields ?? [];

  function setOpenAt(at: number, isOpen: boolean) {
    setOpen((before) => {
      if (before.includes(at) === isOpen) return before;
      return isOpen ? [...before, at] : before.filter((other) => other !== at);
    });
  }

  function add() {
    if (!first) return;
    flushSync(() => {
      setOpenAt(constraints.length, true);
      onChange([...constraints, newConstraint(first)]);
    });
    rows.current?.lastElementChild?.querySelector<HTMLElement>('select, button, input')?.focus();
  }

  function remove(at: number) {
    flushSync(() => {
      setOpen(open.filter((other) => other !== at).map((other) => (other > at ? other - 1 : other)));
      onChange(removeAt(constraints, at));
    });
    addButton.current?.focus();
  }

  return (
    <fieldset aria-label="Constraints" className="grid min-w-0 gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="font-semibold text-secondary max-sm:flex-1">Constraints</p>
        <p className="flex-1 text-muted text-secondary max-sm:order-last max-sm:basis-full">
          {constraints.length === 0 ? 'No constraints' : 'All must match'}
        </p>
        <Button
          ref={addButton}
          variant="ghost"
          size="small"
          icon={<AddIcon size={15} />}
          disabledReason={first ? undefined : getAddDisabledReason(fields)}
          onClick={add}
        >
          Add constraint
        </Button>
      </div>
      {constraints.length > 0 && (
        <div ref={rows} className="grid min-w-0 gap-1">
          {constraints.map((constraint, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: constraints have no name, may be alike, and never move.
            <Fragment key={index}>
              {index > 0 && <AndWord />}
              <div className="grid min-w-0 gap-1">
                <ConstraintRow
                  constraint={constraint}
                  number={index + 1}
                  fields={fields}
                  isOpen={open.includes(index)}
                  onOpenChange={(isOpen) => setOpenAt(index, isOpen)}
                  onChange={(next) => onChange(constraints.map((one, at) => (at === index ? next : one)))}
                  onRemove={() => remove(index)}
                />
                <ConstraintVerdict constraint={constraint} index={index} />
              </div>
            </Fragment>
          ))}
        </div>
      )}
    </fieldset>
  );
}

function getAddDisabledReason(fields: readonly ContextField[] | undefined): string {
  return fields ? 'This server has no context fields.' : 'The context fields are not loaded yet.';
}
