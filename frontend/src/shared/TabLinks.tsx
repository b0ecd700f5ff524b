import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { cx } from '@/lib/cx';

interface Props<Tab extends string> {
  /** Accessible name of the tab list. */
  label: string;
  tabs: readonly { id: Tab; label: ReactNode; path: string }[];
  current: Tab;
  /** Tabs without a URL: buttons with the class `tabClass`. */
  children?: ReactNode;
}

/** Tabs as links, because each tab has its own URL. */
export function TabLinks<Tab extends string>({ label, tabs, current, children }: Props<Tab>) {
  return (
    <nav aria-label={label} className="mb-5 flex gap-6 border-line border-b max-sm:gap-5">
      {tabs.map((tab) => (
        <Link
          key={tab.id}
          to={tab.path}
          aria-current={tab.id === current ? 'page' : undefined}
          className={tabClass(tab.id === current)}
        >
          {tab.label}
        </Link>
      ))}
      {children}
    </nav>
  );
}

export function tabClass(isCurrent: boolean): string {
  return cx(
    '-mb-px inline-flex items-center whitespace-nowrap border-b-2 pt-2 pb-2.5 font-medium touch:min-h-touch',
    isCurrent
      ? 'border-accent text-text forced-colors:border-b-4 forced-colors:pb-2'
      : 'border-transparent text-muted hover:text-text forced-colors:border-b-0 forced-colors:pb-3',
  );
}
