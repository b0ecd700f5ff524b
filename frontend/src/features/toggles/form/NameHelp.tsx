import type { ReactNode } from 'react';
import { useHref } from 'react-router-dom';
import { paths } from '@/paths';
import { isArchivedName } from '../saving/rules';

interface Props {
  name: string;
  /** The server's error for the name. */
  error: string | undefined;
  children: ReactNode;
}

/** Help text of a name field. If an archived toggle has the name, it links to that toggle in a new tab. */
export function NameHelp({ name, error, children }: Props) {
  const archivedHref = useHref(paths.archivedToggle(name));
  if (!isArchivedName(error)) return children;
  return (
    <a href={archivedHref} target="_blank" rel="noopener" className="font-semibold text-accent underline">
      Show the archived toggle in a new tab
    </a>
  );
}
