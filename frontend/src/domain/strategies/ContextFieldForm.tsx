import { context, createContextField, validateContextField } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { ContextField } from '@/api/generated/types';
import { patch } from '@/api/useRead';
import { useWrite } from '@/api/useWrite';
import type { Prompt } from '@/lib/prompt';
import { isFieldError, useForm } from '@/shared/useForm';
import { ChipsField } from '@/ui/ChipsField';
import { NameField } from '@/ui/NameField';

/** Servers use this for a field without a sort order. */
const SORT_ORDER = 10;

interface Props {
  id: string;
  /** Answers with the name of the new field. */
  prompt: Prompt<string, string>;
  /** Proposed name. */
  name: string;
}

/** The form of a new context field. */
export function ContextFieldForm({ id, prompt, name: proposed }: Props) {
  const { send } = useWrite();
  async function create(field: ContextField) {
    let refused: ApiError | undefined;
    await prompt.run(async () => {
      try {
        await send(createContextField, {
          body: field,
          patches: () => [patch(context, (fields) => [...fields, field])],
          refreshes: [context],
          inline: true,
        });
        return field.name;
      } catch (thrown) {
        if (!(thrown instanceof ApiError) || !isFieldError('name', thrown)) throw thrown;
        // The form shows it at the field, as its check does.
        refused = thrown;
        return undefined;
      }
    });
    if (refused) throw refused;
  }
  const { formProps, fieldsProps, bind, input, setInput, check } = useForm({
    start: { name: proposed, legalValues: [] as readonly string[] },
    idField: 'name',
    rules: ({ name }) => ({ name: name === '' ? 'Enter a name.' : undefined }),
    save: ({ name, legalValues }) =>
      create({ name, legalValues: [...legalValues], description: '', stickiness: false, sortOrder: SORT_ORDER }),
  });
  return (
    <form {...formProps} id={id}>
      <fieldset {...fieldsProps} className="grid min-w-0 gap-4">
        <NameField
          label="Name"
          help="The name that your applications send. It cannot be changed later."
          {...bind('name')}
          onBlur={() => void check('name', validateContextField)}
        />
        <ChipsField
          label="Legal values"
          help="Values to choose from in constraints. Without legal values, any value is allowed."
          entries={input.legalValues}
          onChange={(legalValues) => setInput({ ...input, legalValues })}
        />
      </fieldset>
    </form>
  );
}
