import type { ReactNode } from 'react';
import { NotFoundPanel } from '@/ui/NotFoundPanel';
import { LinkButton } from './LinkButton';

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
          <LinkButton to={path}>All {label.toLowerCase()}</LinkButton>
        </>
      }
    >
      {children}
    </NotFoundPanel>
  );
}
