// State of a form: input, validation errors, server errors and submission.
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Write } from '@/api/client';
import { ApiError } from '@/api/error';
import { useWrite } from '@/api/hooks';
import { pushError } from '@/api/notices';
import { DeclinedError } from '@/api/questions';
import { isJsonObject } from '@/lib/json';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { SaveCancelledError } from './SaveCancelledError';

/** Error messages by field. */
export type FieldErrors<Input> = { [Field in keyof Input]?: string | undefined };

interface Options<Input> {
  start: Input;
  /** Validates the input. Errors are shown from the first attempt to submit. */
  rules: (input: Input) => FieldErrors<Input>;
  /** Sends the input and navigates on. */
  save: (input: Input) => Promise<void>;
  /** The identifying field, where a conflict is shown. */
  idField?: keyof Input & string;
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

export function useForm<Input extends object>({ start: given, rules, save, idField }: Options<Input>) {
  const element = useRef<HTMLFormElement>(null);
  const { send } = useWrite();
  const [start] = useState(given);
  const [input, storeInput] = useState(start);
  const latest = useRef(start);
  const [serverErrors, setServerErrors] = useState<{ [Field in keyof Input]?: ServerError }>({});
  /** Number of the latest check or server error of each field. An older check must not change the errors of the field. */
  const versions = useRef<{ [Field in keyof Input]?: number }>({});
  const lastVersion = useRef(0);
  const [submitted, setSubmitted] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const [saving, setSaving] = useState(false);
  useLeaveGuard(JSON.stringify(input) !== JSON.stringify(start));

  // An effect, because a check that ends after the form is removed must report nothing.
  useEffect(
    () => () => {
      versions.current = {};
    },
    [],
  );

  const violations = rules(input);
  const errors: FieldErrors<Input> = submitted ? { ...violations } : {};
  for (const field of Object.keys(serverErrors) as (keyof Input)[]) {
    const rejected = serverErrors[field];
    if (rejected && rejected.value === input[field]) errors[field] = rejected.message;
  }

  /** Stores the input and drops server errors of changed fields: typing may pass through a rejected value again. */
  function setInput(next: Input) {
    latest.current = next;
    storeInput(next);
    const fields = Object.keys(serverErrors) as (keyof Input)[];
    if (fields.some((field) => serverErrors[field]?.value !== next[field])) {
      const kept = fields.filter((field) => serverErrors[field]?.value === next[field]);
      setServerErrors(Object.fromEntries(kept.map((field) => [field, serverErrors[field]])) as typeof serverErrors);
    }
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
    if (latest.current[field] === value) setServerErrors((all) => ({ ...all, [field]: { value, message } }));
  }

  /** Updates the errors and focuses the first one. */
  function focusFirstError(update: () => void) {
    flushSync(update);
    element.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]')?.focus();
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

  /** Validates and saves the input, with these changes. */
  async function submitWith(changes: Partial<Input>) {
    const hasErrors = [...Object.values(violations), ...Object.values(errors)].some((error) => error !== undefined);
    if (hasErrors) {
      return focusFirstError(() => {
        setSubmitted(true);
        setFailure(undefined);
      });
    }
    setFailure(undefined);
    setSaving(true);
    try {
      await save({ ...input, ...changes });
    } catch (thrown) {
      // The user cancelled the save in a dialog.
      if (thrown instanceof DeclinedError) return;
      if (!(thrown instanceof ApiError || thrown instanceof SaveCancelledError)) throw thrown;
      if (thrown instanceof ApiError && thrown.status === 401) return;
      const isAboutId = idField && thrown instanceof ApiError && isFieldError(idField, thrown);
      focusFirstError(() => (isAboutId ? addServerError(idField, thrown.message) : setFailure(thrown)));
    } finally {
      setSaving(false);
    }
  }

  return { element, input, setInput, errors, failure, saving, check, submit: () => submitWith({}), submitWith };
}

/** The part of a form's state that `Form` needs. */
export type FormState = Pick<ReturnType<typeof useForm<object>>, 'element' | 'failure' | 'saving' | 'submit'>;

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
