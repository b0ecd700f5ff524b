// Which applications are shown, as the address has it.
import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { SeenApp } from '@/api/generated/types';
import { useMatcher } from '@/lib/useMatcher';
import { filterApplications } from './filter';

const NONE: readonly SeenApp[] = [];

export function useApplicationRows(applications: readonly SeenApp[] = NONE) {
  const [params, setParams] = useSearchParams();
  const filter = params.get('filter') ?? '';
  const { matches } = useMatcher(filter);
  const rows = useMemo(() => filterApplications(applications, matches), [applications, matches]);

  function setFilter(text: string) {
    const next = new URLSearchParams(params);
    if (text === '') next.delete('filter');
    else next.set('filter', text);
    setParams(next, { replace: true });
  }

  return { rows, filter, setFilter };
}
