import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from './Card';
import { EmptyState } from './EmptyState';

interface Props {
  title: string;
  children?: ReactNode;
  actions: ReactNode;
}

/** Shown if the item in the URL does not exist, with links to other pages. */
export function NotFoundPanel({ title, children, actions }: Props) {
  return (
    <Card>
      <EmptyState icon={<SearchX size={20} strokeWidth={1.75} aria-hidden="true" />} title={title} actions={actions}>
        {children}
      </EmptyState>
    </Card>
  );
}
