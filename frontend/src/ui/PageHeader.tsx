import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import { Count } from './Count';

interface PageHeaderProps {
  title: string;
  count?: number | undefined;
  /** Shown before the title. */
  icon?: ReactNode;
  /** Shown beside the title, such as a status chip. */
  mark?: ReactNode;
  /** Shown after the count, and instead of it on phones. */
  quickFilter?: ReactNode;
  actions?: ReactNode;
  breadcrumb?: ReactNode;
  /** Saves the height of the breadcrumb on phones, for pages that the menu leads to in another way. */
  hidesBreadcrumbOnPhones?: boolean;
}

export function PageHeader({
  title,
  icon,
  count,
  mark,
  quickFilter,
  actions,
  breadcrumb,
  hidesBreadcrumbOnPhones = false,
}: PageHeaderProps) {
  return (
    <header className="mb-4 flex flex-col gap-2 max-sm:mb-2.5">
      {breadcrumb && (
        <div
          className={cx(
            'text-muted text-secondary lg:has-[[data-repeats-menu]]:hidden',
            hidesBreadcrumbOnPhones && 'max-sm:hidden',
          )}
        >
          {breadcrumb}
        </div>
      )}
      <div
        className={cx(
          'flex flex-wrap items-center justify-between gap-x-4 gap-y-3',
          actions === undefined ? 'sm:min-h-control' : 'min-h-control',
        )}
      >
        <div className="flex min-w-0 items-baseline gap-2.5">
          {icon && <span className="flex shrink-0 self-center">{icon}</span>}
          <h1 tabIndex={-1} className="wrap-anywhere min-w-0 text-title outline-none [font-weight:650]">
            {title}
          </h1>
          {mark && <span className="flex self-center">{mark}</span>}
          {count !== undefined && (
            <span className={cx('text-body text-faint tabular-nums', Boolean(quickFilter) && 'max-sm:hidden')}>
              <Count value={count} />
            </span>
          )}
          {quickFilter && <span className="flex self-center">{quickFilter}</span>}
        </div>
        {actions && <div className="flex grow flex-wrap items-center justify-end gap-2.5">{actions}</div>}
      </div>
    </header>
  );
}
