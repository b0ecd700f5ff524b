import type { ReactNode } from 'react';
import { Card } from './Card';
import { EmptyState } from './EmptyState';
import { NotFoundIcon } from './icons';

interface Props {
  title: string;
  children?: ReactNode;
  actions: ReactNode;
}

/** Shown if the item in the URL does not exist, with links to other pages. */
export function NotFoundPanel({ title, children, actions }: Props) {
  return (
    <Card>
      <EmptyState icon={<NotFoundIcon size={20} />} title={title} actions={actions}>
        {children}
      </EmptyState>
    </Card>
  );
}
