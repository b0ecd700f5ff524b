import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { buttonClass } from '@/ui/buttonClass';
import { NotFoundPanel } from '@/ui/NotFoundPanel';

interface Props {
  title: string;
  /** Parent section, shown as a link. */
  within: { label: string; path: string };
  /** Additional actions. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** Panel for a URL whose item does not exist. */
export function ResourceNotFound({ title, within: { label, path }, actions, children }: Props) {
  return (
    <NotFoundPanel
      title={title}
      actions={
        <>
          {actions}
          <Link to={path} className={buttonClass()}>
            All {label.toLowerCase()}
          </Link>
        </>
      }
    >
      {children}
    </NotFoundPanel>
  );
}
