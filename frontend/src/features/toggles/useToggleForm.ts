// The form for a new toggle: what was typed, what the server thinks of the name, and the way to it once it exists.
import { type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigate } from 'react-router-dom';
import { context, strategies } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import { useRead } from '@/api/hooks';
import { useProjects } from '@/api/reads';
import { useLeaveGuard } from '@/lib/leaveGuard';
import { projectInUse } from '@/lib/toggleList';
import { lastProject } from '@/lib/toggleListSettings';
import { paths } from '@/paths';
import {
  emptyForm,
  isAboutName,
  isSameForm,
  stickinessOptions,
  strategyError,
  type ToggleInput,
  toBody,
} from './rules';
import { useNameCheck } from './useNameCheck';
import { useToggleWrites } from './useToggleWrites';

function nameFrom({ search, hash }: { search: string; hash: string }): string {
  return new URLSearchParams(hash.slice(1)).get('name') ?? new URLSearchParams(search).get('name') ?? '';
}

export function useToggleForm(element: RefObject<HTMLFormElement | null>) {
  const location = useLocation();
  const navigate = useNavigate();
  const { create } = useToggleWrites();
  const definitions = useRead(strategies).data?.strategies ?? [];
  const projects = useProjects();
  const [start] = useState(() => emptyForm(nameFrom(location), lastProject()));
  const [typed, setForm] = useState(start);
  const [failure, setFailure] = useState<Error>();
  const [saving, setSaving] = useState(false);
  useLeaveGuard(!isSameForm(typed, start));

  const form: ToggleInput = { ...typed, project: projectInUse(typed.project, projects, 'default') };
  const { nameError, checkName, refuseName } = useNameCheck(form.name);

  /** Shows what is wrong and goes there. */
  function point(what: () => void) {
    flushSync(what);
    element.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]')?.focus();
  }

  function refused(thrown: unknown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    if (thrown.status === 401) return;
    if (isAboutName(thrown.status, thrown.body)) point(() => refuseName(thrown.message));
    else point(() => setFailure(thrown));
  }

  async function submit() {
    const { name } = form;
    if (name === '') return point(() => refuseName('Give the toggle a name.'));
    if (nameError || form.strategies.some((one) => strategyError(one, definitions)))
      return point(() => setFailure(undefined));
    setFailure(undefined);
    setSaving(true);
    try {
      await create(toBody(form));
      void navigate(paths.toggle(name));
    } catch (thrown) {
      refused(thrown);
    } finally {
      setSaving(false);
    }
  }

  return {
    form,
    setForm,
    nameError,
    failure,
    saving,
    checkName,
    submit,
    projects,
    definitions,
    stickiness: stickinessOptions(useRead(context).data ?? []),
  };
}
