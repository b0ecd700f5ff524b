// Fields of the forms that create and edit a strategy definition.

import { useState } from 'react';
import type { ParameterDefinition } from '@/api/generated/types';
import { isEnter } from '@/lib/keyboard';
import { RequestedFocus, useFocusRequest, useRequestedFocus } from '@/lib/requestedFocus';
import { bindFields, type FormFields } from '@/shared/useForm';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { IconButton } from '@/ui/IconButton';
import { AddIcon, ChevronDownIcon, ChevronUpIcon, RemoveIcon } from '@/ui/icons';
import { NameField } from '@/ui/NameField';
import { SelectField } from '@/ui/Select';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { addRow, type DefinitionInput, moveRow, parameterTypes, rowErrors } from './definition';

interface Props extends FormFields<DefinitionInput> {
  /** The definition exists, so its name cannot be changed. */
  isNameReadOnly?: boolean;
}

export function DefinitionFields({ isNameReadOnly = false, ...fields }: Props) {
  const { input, onChange } = fields;
  const bind = bindFields(fields);
  return (
    <>
      <Card>
        <div className="grid gap-4">
          <NameField
            label="Name"
            isReadOnly={isNameReadOnly}
            help={
              isNameReadOnly
                ? 'The name cannot be changed: toggles and applications refer to it.'
                : 'The unique name that your applications implement. It cannot be changed later.'
            }
            {...bind('name')}
          />
          <TextArea label="Description" help="Shown when choosing a strategy." {...bind('description')} />
        </div>
      </Card>
      <ParameterRows rows={input.parameters} onChange={(parameters) => onChange({ ...input, parameters })} />
    </>
  );
}

interface ParameterRowsProps {
  rows: DefinitionInput['parameters'];
  onChange: (rows: DefinitionInput['parameters']) => void;
}

/** Editor of the parameters, in the order in which toggles show them. */
function ParameterRows({ rows, onChange }: ParameterRowsProps) {
  const [focusRequest, requestFocus] = useFocusRequest();
  const [announcement, setAnnouncement] = useState('');
  // The name that is being typed is not checked: it may begin like an existing name.
  const [typedKey, setTypedKey] = useState<number>();
  const errors = rowErrors(rows.filter(({ key }) => key !== typedKey));

  /** Changes the rows and moves the focus to the added row, or to the neighbour of the removed row. */
  function changeAndFocus(next: ParameterRowsProps['rows'], index: number) {
    onChange(next);
    const focused = next[Math.min(index, next.length - 1)];
    requestFocus(focused ? toPart(focused.key) : ADD);
  }

  function move(from: number, to: number) {
    onChange(moveRow(rows, from, to));
    setAnnouncement(`Moved to position ${to + 1} of ${rows.length}.`);
  }

  return (
    <section aria-labelledby="parameters-heading" className="grid gap-3">
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
      <RequestedFocus value={focusRequest}>
        {rows.map(({ key, parameter }, index) => (
          <ParameterRow
            key={key}
            part={toPart(key)}
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
        <AddButton onClick={() => changeAndFocus(addRow(rows), rows.length)} />
      </RequestedFocus>
      <VisuallyHidden>
        <span role="status">{announcement}</span>
      </VisuallyHidden>
    </section>
  );
}

/** Parts that can get the focus. */
const ADD = 'add';
const toPart = (key: number) => `parameter ${key}`;

function AddButton({ onClick }: { onClick: () => void }) {
  return (
    <Button
      ref={useRequestedFocus<HTMLButtonElement>(ADD)}
      className="justify-self-start"
      icon={<AddIcon />}
      onClick={onClick}
    >
      Add parameter
    </Button>
  );
}

interface ParameterRowProps {
  /** Name of the row for the focus. */
  part: string;
  parameter: ParameterDefinition;
  /** Position of the row, from 0. */
  index: number;
  count: number;
  error: string | undefined;
  onChange: (parameter: ParameterDefinition) => void;
  /** Reports whether the user is typing the name. */
  onTyping: (isTyping: boolean) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

function ParameterRow(props: ParameterRowProps) {
  const { part, parameter, index, count, error, onChange, onTyping, onMove, onRemove } = props;
  const label = `parameter ${index + 1}`;
  // A type of a newer server is kept until another type is chosen.
  const types = [...new Set([...parameterTypes, parameter.type])];
  return (
    <fieldset
      ref={useRequestedFocus<HTMLFieldSetElement>(part)}
      aria-label={`Parameter ${index + 1}`}
      className="grid min-w-0 gap-4 rounded-card border border-line bg-surface p-4 shadow-card sm:grid-cols-[minmax(0,1fr)_160px]"
    >
      <TextField
        label="Parameter name"
        autoComplete="off"
        spellCheck={false}
        value={parameter.name}
        error={error}
        onChange={(name) => {
          onTyping(true);
          onChange({ ...parameter, name });
        }}
        onBlur={() => onTyping(false)}
        onKeyDown={(event) => {
          if (isEnter(event.nativeEvent)) onTyping(false);
        }}
      />
      <SelectField
        label="Type"
        value={parameter.type}
        options={types.map((value) => ({ value, label: value }))}
        onChange={(type) => onChange({ ...parameter, type })}
      />
      <div className="sm:col-span-2">
        <TextField
          label="Parameter description"
          value={parameter.description ?? ''}
          onChange={(description) => onChange({ ...parameter, description })}
        />
      </div>
      <div className="flex items-center justify-between gap-3 sm:col-span-2">
        <Checkbox
          label="Required"
          checked={parameter.required}
          onChange={(required) => onChange({ ...parameter, required })}
        />
        <span className="flex">
          <IconButton
            label={`Move ${label} up`}
            icon={<ChevronUpIcon />}
            disabledReason={index === 0 ? 'This is the first parameter.' : undefined}
            onClick={() => onMove(index - 1)}
          />
          <IconButton
            label={`Move ${label} down`}
            icon={<ChevronDownIcon />}
            disabledReason={index === count - 1 ? 'This is the last parameter.' : undefined}
            onClick={() => onMove(index + 1)}
          />
          <IconButton label={`Remove ${label}`} icon={<RemoveIcon />} onClick={onRemove} />
        </span>
      </div>
    </fieldset>
  );
}
