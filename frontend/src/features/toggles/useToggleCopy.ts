// The form for a copy: its name, and whether it gets a rollout group of its own.
import { type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router-dom';
import { ApiError } from '@/api/error';
import type { Toggle } from '@/api/generated/types';
import { useLeaveGuard } from '@/lib/leaveGuard';
import { paths } from '@/paths';
import { isAboutName } from './rules';
import { copyOf } from './toggleEdits';
import { useNameCheck } from './useNameCheck';
import { useToggleWrites } from './useToggleWrites';

export function useToggleCopy(source: Toggle, element: RefObject<HTMLFormElement | null>) {
  const navigate = useNavigate();
  const { create } = useToggleWrites();
  const [name, setName] = useState('');
  const [replaceGroupId, setReplaceGroupId] = useState(true);
  const [failure, setFailure] = useState<Error>();
  const [saving, setSaving] = useState(false);
  const { nameError, checkName, refuseName } = useNameCheck(name);
  useLeaveGuard(name !== '');

  /** Shows what is wrong and goes there. */
  function point(what: () => void) {
    flushSync(what);
    element.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]')?.focus();
  }

  async function submit() {
    if (name === '') return point(() => refuseName('Give the toggle a name.'));
    if (nameError) return;
    setFailure(undefined);
    setSaving(true);
    try {
      await create(copyOf(source, name, replaceGroupId));
      void navigate(paths.toggle(name));
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      if (thrown.status === 401) return;
      const { status, body, message } = thrown;
      point(() => (isAboutName(status, body) ? refuseName(message) : setFailure(thrown)));
    } finally {
      setSaving(false);
    }
  }

  return {
    name,
    // No space can be typed into a name.
    setName: (typed: string) => setName(typed.replace(/\s/gu, '')),
    replaceGroupId,
    setReplaceGroupId,
    nameError,
    checkName,
    failure,
    saving,
    submit,
  };
}
