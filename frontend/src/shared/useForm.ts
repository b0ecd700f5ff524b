// State of a form: input, validation errors, server errors and submission.
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Write } from '@/api/client';
import { ApiError } from '@/api/error';
import { useWrite } from '@/api/useWrite';
import { pushError, pushInfo, pushUnshownFailure } from '@/api/notices';
import { DeclinedError } from '@/api/questions';
import { isJsonObject } from '@/lib/json';
import { userSignal } from '@/lib/store';
import { useIsMounted } from '@/lib/useIsMounted';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { SaveCancelledError } from './SaveCancelledError';

/** Error messages by field. */
export type FieldErrors<Input> = { [Field in keyof Input]?: string | undefined };

/** The state of a form that its fields show. */
export interface FormFields<Input> {
  input: Input;
  errors: FieldErrors<Input>;
  onChange: (input: Input) => void;
}

/** Returns a function that returns the props of the control of a field. */
export function bindFields<Input extends object>({ input, errors, onChange }: FormFields<Input>) {
  return <Field extends keyof Input & string>(field: Field) => ({
    value: input[field],
    error: errors[field],
    onChange: (value: Input[Field]) => onChange({ ...input, [field]: value }),
  });
}

interface Options<Input, Base> {
  /** The initial input. The form follows it until the first edit. */
  start: Input;
  /** The version of the item that the form edits. The form follows it until the first edit, and keeps it from then on. */
  base?: Base;
  /** Validates the input. Errors are shown from the first attempt to submit. */
  rules: (input: Input, base: Base) => FieldErrors<Input>;
  /** Sends the input. Resolves with false if the user continues to edit. */
  save: (input: Input, base: Base) => Promise<unknown>;
  /** Continues after a save, for example with another page. Not called if the user has left the form meanwhile. */
  onSaved?: (input: Input) => void;
  /** The identifying field, where a conflict is shown. */
  idField?: keyof Input & string;
  /** Asks before edited input is lost. Default: true. */
  guardsLeave?: boolean;
}

/** What the user has edited: the input, and the versions that it started from. */
interface Edit<Input, Base> {
  start: Input;
  base: Base;
  input: Input;
}

/** Validates a field on the server. */
export type FormCheck<Input> = <Field extends keyof Input & string>(
  field: Field,
  call: Write<{ [Key in Field]: Input[Field] }, unknown>,
) => Promise<void>;

/** Server error for one value of a field. It does not apply to other values. */
interface ServerError {
  value: unknown;
  message: string;
}

export function useForm<Input extends object, Base = undefined>(options: Options<Input, Base>) {
  const { rules, save, onSaved, idField, guardsLeave = true } = options;
  const element = useRef<HTMLFormElement>(null);
  const { send } = useWrite();
  const [edited, setEdited] = useState<Edit<Input, Base>>();
  // Without a base, no function uses it.
  const { start, base, input } = edited ?? { start: options.start, base: options.base as Base, input: options.start };
  /** The latest input, for code after an `await`; undefined before the first edit. */
  const latest = useRef<Input>(undefined);
  const [serverErrors, setServerErrors] = useState<{ [Field in keyof Input]?: ServerError }>({});
  /** Number of the latest check or server error of each field. An older check must not change the errors of the field. */
  const versions = useRef<{ [Field in keyof Input]?: number }>({});
  const lastVersion = useRef(0);
  const [submitted, setSubmitted] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const [saving, setSaving] = useState(false);
  const isSaving = useRef(false);
  const isMounted = useIsMounted();
  const isDirty = JSON.stringify(input) !== JSON.stringify(start);
  /** The input is saved, and `onSaved` opens another page. */
  const [isLeaving, setLeaving] = useState(false);
  useLeaveGuard(guardsLeave && isDirty && !isLeaving);

  // An effect, because a check that ends after the form is removed must not change the next page.
  useEffect(
    () => () => {
      versions.current = {};
    },
    [],
  );

  const violations = rules(input, base);
  const errors: FieldErrors<Input> = submitted ? { ...violations } : {};
  for (const field of Object.keys(serverErrors) as (keyof Input)[]) {
    const rejected = serverErrors[field];
    if (rejected && rejected.value === input[field]) errors[field] = rejected.message;
  }

  /** Stores the input and drops server errors of changed fields: typing may pass through a rejected value again. */
  function setInput(next: Input) {
    latest.current = next;
    setLeaving(false);
    setEdited({ start, base, input: next });
    const fields = Object.keys(serverErrors) as (keyof Input)[];
    if (fields.some((field) => serverErrors[field]?.value !== next[field])) {
      const kept = fields.filter((field) => serverErrors[field]?.value === next[field]);
      setServerErrors(Object.fromEntries(kept.map((field) => [field, serverErrors[field]])) as typeof serverErrors);
    }
  }

  /** Changes the latest input, which may be newer than the last render. */
  const updateInput = (edit: (input: Input) => Input) => setInput(edit(latest.current ?? input));

  /** Replaces the input, and shows errors from the next attempt to submit. */
  function restart(next: Input) {
    setInput(next);
    setSubmitted(false);
  }

  function nextVersion(field: keyof Input): number {
    lastVersion.current += 1;
    versions.current[field] = lastVersion.current;
    return lastVersion.current;
  }

  /** Records a server error for a field, unless its value has changed since the request. */
  function addServerError(field: keyof Input, message: string) {
    const value = input[field];
    nextVersion(field);
    if (!latest.current || latest.current[field] === value)
      setServerErrors((all) => ({ ...all, [field]: { value, message } }));
  }

  /** Updates the errors and focuses the first one, unless the user types elsewhere when a request ends. */
  function focusFirstError(update: () => void) {
    flushSync(update);
    const { activeElement } = document;
    if (activeElement?.matches('input, textarea, select') && !element.current?.contains(activeElement)) return;
    const first = element.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]');
    first?.focus({ preventScroll: true });
    // With the label and the message. The control itself may be a hidden part of a larger one.
    (first?.closest('fieldset, label')?.parentElement ?? first?.parentElement)?.scrollIntoView({ block: 'nearest' });
  }

  /** Validates a field on the server when it loses focus. */
  async function check<Field extends keyof Input & string>(
    field: Field,
    call: Write<{ [Key in Field]: Input[Field] }, unknown>,
  ) {
    if (input[field] === '') return;
    const version = nextVersion(field);
    const isOutdated = () => versions.current[field] !== version;
    try {
      await send(call, { body: { [field]: input[field] } as { [Key in Field]: Input[Field] }, inline: true });
      if (!isOutdated()) setServerErrors((all) => ({ ...all, [field]: undefined }));
    } catch (thrown) {
      if (isOutdated()) return;
      // The user cancelled the save in a dialog.
      if (thrown instanceof DeclinedError) return;
      if (!(thrown instanceof ApiError) || thrown.status === 401) return;
      const { status, message, detail } = thrown;
      if (status >= 400 && status < 500) addServerError(field, detail ? `${message}: ${detail}` : message);
      else pushError(thrown.noticeText);
    }
  }

  /** Validates and saves the input, with these changes. Resolves with true if it was saved. */
  async function submitWith(changes: Partial<Input>): Promise<boolean> {
    // Enter submits again before the button is busy.
    if (isSaving.current) return false;
    const hasErrors = [...Object.values(violations), ...Object.values(errors)].some((error) => error !== undefined);
    if (hasErrors) {
      focusFirstError(() => {
        setSubmitted(true);
        setFailure(undefined);
      });
      return false;
    }
    const user = userSignal();
    const focused = document.activeElement;
    const sent = { ...input, ...changes };
    setFailure(undefined);
    setSaving(true);
    isSaving.current = true;
    /** Enables the fields again: those that the save disabled have lost the focus. */
    const end = () => {
      isSaving.current = false;
      flushSync(() => setSaving(false));
      if (document.activeElement === document.body && element.current?.contains(focused))
        (focused as HTMLElement).focus();
    };
    try {
      if ((await save(sent, base)) === false) {
        end();
        return false;
      }
    } catch (thrown) {
      end();
      // Another user has signed in, and the form has left the page; or the user cancelled the save in a dialog.
      if (user.aborted || thrown instanceof DeclinedError) return false;
      if (!(thrown instanceof ApiError || thrown instanceof SaveCancelledError)) throw thrown;
      if (thrown instanceof ApiError && thrown.status === 401) return false;
      if (!isMounted.current) {
        pushUnshownFailure(thrown);
        return false;
      }
      const isAboutId = idField && thrown instanceof ApiError && isFieldError(idField, thrown);
      focusFirstError(() => (isAboutId ? addServerError(idField, thrown.message) : setFailure(thrown)));
      return false;
    }
    end();
    if (!onSaved || user.aborted) return true;
    if (isMounted.current) {
      flushSync(() => setLeaving(true));
      onSaved(sent);
    } else pushInfo('The form that you left was saved.');
    return true;
  }

  const submit = () => submitWith({});
  const fields: FormFields<Input> = { input, errors, onChange: setInput };
  return {
    fields,
    bind: bindFields(fields),
    input,
    /** The version of the item that the form edits. */
    base,
    setInput,
    updateInput,
    restart,
    isDirty,
    errors,
    failure,
    saving,
    check,
    submit,
    submitWith,
    /** Props of the element with the fields: what is typed during a save would be lost. */
    fieldsProps: { disabled: saving },
    /** Props of the form element. */
    formProps: {
      ref: element,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        // A form of a dialog is outside the form of the page, but inside its component, to which React passes the event on.
        event.stopPropagation();
        void submit();
      },
    },
  };
}

/** The part of a form's state that `Form` needs. */
export type FormState = Pick<ReturnType<typeof useForm<object>>, 'formProps' | 'failure' | 'saving' | 'isDirty'>;

/** Returns whether the server rejected the given unique field rather than the request as a whole. */
export function isFieldError(field: string, { status, body }: Pick<ApiError, 'status' | 'body'>): boolean {
  if (status === 409) return true;
  if (status !== 400 || !isJsonObject(body) || !Array.isArray(body['details'])) return false;
  const [first]: unknown[] = body['details'];
  if (!isJsonObject(first)) return false;
  const { path, message } = first;
  if (Array.isArray(path)) return path[0] === field;
  // Newer servers send the path as a text, or name the field in the message.
  return path === `/body/${field}` || (typeof message === 'string' && message.startsWith(`"${field}" `));
}
