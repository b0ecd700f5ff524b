// Pages that create and edit a context field.

import { useState } from 'react';
import { useCapabilities } from '@/api/capabilities';
import type { ContextField } from '@/api/generated/types';
import { isEnter } from '@/lib/keyboard';
import { sections } from '@/paths';
import { CreateForm, EditForm } from '@/shared/EntityForms';
import type { EditableEntity, FieldsProps } from '@/shared/entity';
import { FormPage } from '@/shared/FormPage';
import { bindFields } from '@/shared/useForm';
import { useRouteParams } from '@/shared/useRouteParams';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { Chip } from '@/ui/Chip';
import { NameField } from '@/ui/NameField';
import { TextArea } from '@/ui/TextArea';
import { TextField } from '@/ui/TextField';
import { useShowMore } from '@/ui/useShowMore';
import { contextFieldResource } from './contextFields';
import {
  type ContextFieldInput,
  contextFieldForm,
  contextFieldLabels,
  duplicateValueError,
  withTypedValue,
} from './rules';

const contextFieldEntity: EditableEntity<ContextField, ContextFieldInput> = {
  resource: contextFieldResource,
  section: sections.contextFields,
  createPermission: 'CREATE_CONTEXT_FIELD',
  updatePermission: 'UPDATE_CONTEXT_FIELD',
  form: contextFieldForm,
  labels: contextFieldLabels,
  // Servers omit an empty list of legal values.
  complete: (field) => ({ ...field, legalValues: field.legalValues ?? [] }),
  Fields: ContextFieldFields,
};

/** Title of both pages, which the specification requires. */
const TITLE = 'Create context field';

export function ContextFieldCreatePage() {
  return (
    <FormPage title={TITLE} within={sections.contextFields}>
      <CreateForm entity={contextFieldEntity} />
    </FormPage>
  );
}

export function ContextFieldEditPage() {
  const { name = '' } = useRouteParams();
  return (
    <FormPage title={TITLE} here={name} within={sections.contextFields}>
      <EditForm entity={contextFieldEntity} id={name} />
    </FormPage>
  );
}

const STICKINESS_HELP =
  'The flexibleRollout strategy and variants can use this field, so that the same value always gets the same result.';
const SORT_ORDER_LIMITS = {
  stored: undefined,
  ignored: 'This server does not change the sort order in an edit.',
  reset: 'This server sets the sort order to 0 with every edit.',
};
const NOT_STORED = 'Servers before 3.12 do not store this.';

function ContextFieldFields(props: FieldsProps<ContextFieldInput>) {
  const { input, onChange, isExisting, onCheckId } = props;
  const bind = bindFields(props);
  const { storesFieldDetails, sortOrderInEdit } = useCapabilities();
  const sortOrderLimit = SORT_ORDER_LIMITS[sortOrderInEdit];
  return (
    <Card>
      <div className="grid gap-4">
        <NameField
          label="Name"
          help={
            isExisting
              ? 'The name cannot be changed: applications send it.'
              : 'The name that your applications send. It cannot be changed later.'
          }
          isReadOnly={isExisting}
          {...bind('name')}
          onBlur={onCheckId}
        />
        <TextArea label="Description" rows={2} {...bind('description')} />
        <LegalValuesField input={input} onChange={onChange} />
        <Checkbox
          label="Allow stickiness"
          help={storesFieldDetails ? STICKINESS_HELP : NOT_STORED}
          checked={input.stickiness}
          onChange={(stickiness) => onChange({ ...input, stickiness })}
        />
        <TextField
          label="Sort order"
          inputMode="numeric"
          autoComplete="off"
          className="max-w-28 tabular-nums"
          help={
            storesFieldDetails
              ? (isExisting && sortOrderLimit) || 'Lists show fields with smaller numbers first.'
              : NOT_STORED
          }
          {...bind('sortOrder')}
        />
      </div>
    </Card>
  );
}

interface LegalValuesFieldProps {
  input: ContextFieldInput;
  onChange: (input: ContextFieldInput) => void;
}

const HELP = 'Values to choose from in constraints. Without legal values, any value is allowed.';
const COMMA = 'This is added as one value. Some flag services split values at commas.';

/** Editor of the legal values. Values may contain commas, so they are added one at a time. */
function LegalValuesField({ input, onChange }: LegalValuesFieldProps) {
  const { legalValues, legalValue } = input;
  const { shown, showMore } = useShowMore(legalValues);
  const error = duplicateValueError(legalValues, legalValue);
  // No error while typing: a longer value may begin like an existing one.
  const [isTyping, setTyping] = useState(false);
  const isAddable = error === undefined && legalValue.trim() !== '';
  const add = () => {
    if (isAddable) onChange({ ...input, legalValues: withTypedValue(input), legalValue: '' });
  };
  return (
    <div className="grid min-w-0 gap-2.5">
      <div className="flex items-start gap-2.5">
        <div className="min-w-0 flex-1">
          <TextField
            label="Legal values"
            autoComplete="off"
            placeholder="e.g. eu"
            error={isTyping ? undefined : error}
            help={legalValue.includes(',') ? COMMA : HELP}
            value={legalValue}
            onChange={(typed) => {
              setTyping(true);
              onChange({ ...input, legalValue: typed });
            }}
            onBlur={() => setTyping(false)}
            onKeyDown={(event) => {
              // Enter adds the value instead of submitting the form.
              if (!isEnter(event.nativeEvent) || legalValue === '') return;
              event.preventDefault();
              setTyping(false);
              add();
            }}
          />
        </div>
        <Button
          className="mt-6"
          disabledReason={isAddable ? undefined : (error ?? 'Enter a value first.')}
          onClick={add}
        >
          Add
        </Button>
      </div>
      {legalValues.length > 0 && (
        <ul aria-label="Added values" className="flex max-h-60 flex-wrap gap-1.5 overflow-y-auto p-0.5">
          {shown.map((value) => (
            <li key={value} className="flex min-w-0 max-w-full touch:min-h-touch touch:items-center">
              <Chip
                removeLabel={`Remove ${value}`}
                onRemove={() => onChange({ ...input, legalValues: legalValues.filter((other) => other !== value) })}
              >
                {value}
              </Chip>
            </li>
          ))}
          {showMore && <li className="flex">{showMore}</li>}
        </ul>
      )}
    </div>
  );
}
