import type { ReactNode } from 'react';
import { useHref } from 'react-router-dom';
import { archivedFeatures } from '@/api/endpoints';
import { useRead } from '@/api/useRead';
import { paths } from '@/paths';

interface Props {
  name: string;
  /** The server's error for the name. */
  error: string | undefined;
  children: ReactNode;
}

/**
 * Help text of a name field. If an archived toggle has the name, it links to that toggle in a new tab. The archive shows
 * this, because the error texts of servers differ.
 */
export function NameHelp({ name, error, children }: Props) {
  const archivedHref = useHref(paths.archivedToggle(name));
  const archive = useRead(error === undefined ? null : archivedFeatures);
  if (error === undefined || !archive.data?.features.some((toggle) => toggle.name === name)) return children;
  return (
    <a href={archivedHref} target="_blank" rel="noopener" className="font-semibold text-accent underline">
      Show the archived toggle in a new tab
    </a>
  );
}
