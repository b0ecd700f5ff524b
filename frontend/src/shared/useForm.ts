// The life of one form: what was typed, what is wrong with it and where, and what the server says when it is sent.
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Write } from '@/api/client';
import { ApiError } from '@/api/error';
import { useWrite } from '@/api/hooks';
import { pushError } from '@/api/notices';
import { useLeaveGuard } from '@/lib/leaveGuard';
import { isAbout } from './isAbout';
import { NotSaved } from './NotSaved';

/** What is wrong, and how to mend it, by field. */
export type FieldErrors<Input> = { [Field in keyof Input]?: string | undefined };

interface Options<Input> {
  start: Input;
  /** What must be mended before anything is sent; shown at the fields from the first try on. */
  rules: (input: Input) => FieldErrors<Input>;
  /** Sends it and leads on. */
  save: (input: Input) => Promise<void>;
  /** The field that tells this thing from all others, if a conflict is to be shown there. */
  idField?: keyof Input & string;
}

/** What the server said about a value; it says nothing about the next one. */
interface Refusal {
  value: unknown;
  message: string;
}

export function useForm<Input extends object>({ start: given, rules, save, idField }: Options<Input>) {
  const element = useRef<HTMLFormElement>(null);
  const { send } = useWrite();
  const [start] = useState(given);
  const [input, storeInput] = useState(start);
  const latest = useRef(start);
  const [refusals, setRefusals] = useState<{ [Field in keyof Input]?: Refusal }>({});
  const [tried, setTried] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const [saving, setSaving] = useState(false);
  useLeaveGuard(JSON.stringify(input) !== JSON.stringify(start));

  const wrong = rules(input);
  const errors: FieldErrors<Input> = tried ? { ...wrong } : {};
  for (const field of Object.keys(refusals) as (keyof Input)[]) {
    const refusal = refusals[field];
    if (refusal && refusal.value === input[field]) errors[field] = refusal.message;
  }

  /** Drops what the server said about values that change: while a longer value is typed, it may be a refused one. */
  function setInput(next: Input) {
    latest.current = next;
    storeInput(next);
    const fields = Object.keys(refusals) as (keyof Input)[];
    if (fields.some((field) => refusals[field]?.value !== next[field])) {
      const kept = fields.filter((field) => refusals[field]?.value === next[field]);
      setRefusals(Object.fromEntries(kept.map((field) => [field, refusals[field]])) as typeof refusals);
    }
  }

  /** Records what the server said about a value, unless another value was typed meanwhile. */
  function refuse(field: keyof Input, message: string) {
    const value = input[field];
    if (latest.current[field] === value) setRefusals((all) => ({ ...all, [field]: { value, message } }));
  }

  /** Shows what is wrong and goes there. */
  function point(what: () => void) {
    flushSync(what);
    element.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]')?.focus();
  }

  /** Asks the server about a field that was left; what was typed meanwhile has a verdict of its own. */
  async function check<Field extends keyof Input & string>(
    field: Field,
    call: Write<{ [Key in Field]: Input[Field] }, unknown>,
  ) {
    if (input[field] === '') return;
    try {
      await send(call, { body: { [field]: input[field] } as { [Key in Field]: Input[Field] }, inline: true });
      setRefusals((all) => ({ ...all, [field]: undefined }));
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.status === 401) return;
      if (thrown.status >= 400 && thrown.status < 500) refuse(field, thrown.message);
      else pushError(thrown.noticeText);
    }
  }

  async function submit() {
    const hasErrors = [...Object.values(wrong), ...Object.values(errors)].some((error) => error !== undefined);
    if (hasErrors) {
      return point(() => {
        setTried(true);
        setFailure(undefined);
      });
    }
    setFailure(undefined);
    setSaving(true);
    try {
      await save(input);
    } catch (thrown) {
      if (!(thrown instanceof ApiError || thrown instanceof NotSaved)) throw thrown;
      if (thrown instanceof ApiError && thrown.status === 401) return;
      const isAboutId = idField && thrown instanceof ApiError && isAbout(idField, thrown);
      point(() => (isAboutId ? refuse(idField, thrown.message) : setFailure(thrown)));
    } finally {
      setSaving(false);
    }
  }

  return { element, input, setInput, errors, failure, saving, check, submit };
}

/** What `Form` needs of a form, whatever is typed into it. */
export type FormState = Pick<ReturnType<typeof useForm<object>>, 'element' | 'failure' | 'saving' | 'submit'>;
