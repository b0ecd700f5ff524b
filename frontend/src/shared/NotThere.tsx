import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { buttonClass } from '@/ui/buttonClass';
import { NotFoundPanel } from '@/ui/NotFoundPanel';

interface Props {
  title: string;
  /** What it would belong to: the way out. */
  within: { label: string; path: string };
  /** What else can be done. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** The one that an address names is not among its kind. */
export function NotThere({ title, within: { label, path }, actions, children }: Props) {
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
