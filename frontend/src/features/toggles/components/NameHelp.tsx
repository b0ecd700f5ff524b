import type { ReactNode } from 'react';
import { useHref } from 'react-router-dom';
import { paths } from '@/paths';
import { isArchivedName } from '../rules';

interface Props {
  name: string;
  /** What the server said about it. */
  error: string | undefined;
  children: ReactNode;
}

/** Below a name that an archived toggle has, the way to that toggle: beside the form, which keeps what was typed. */
export function NameHelp({ name, error, children }: Props) {
  const archived = useHref(paths.archivedToggle(name));
  if (!isArchivedName(error)) return children;
  return (
    <a href={archived} target="_blank" rel="noopener" className="font-semibold text-accent underline">
      Show the archived toggle in a new tab
    </a>
  );
}
