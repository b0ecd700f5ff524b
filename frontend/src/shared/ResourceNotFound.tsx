import type { ReactNode } from 'react';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { NotFoundIcon } from '@/ui/icons';
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

interface NotFoundPanelProps {
  title: string;
  children?: ReactNode;
  actions: ReactNode;
}

/** Shown if the item in the URL does not exist, with links to other pages. */
function NotFoundPanel({ title, children, actions }: NotFoundPanelProps) {
  return (
    <Card>
      <EmptyState icon={<NotFoundIcon size={20} />} title={title} actions={actions}>
        {children}
      </EmptyState>
    </Card>
  );
}
