import type { ReactNode } from 'react';

interface Props {
  name: string;
  breadcrumb: ReactNode;
  /** Control before the name, such as the switch of a toggle. The focus reaches it after the name. */
  lead?: ReactNode;
  /** The status of the item. */
  mark?: ReactNode;
  actions?: ReactNode;
}

/**
 * Header of the page of one item. On phones, the status is beside the breadcrumb, and the actions are beside the name, which
 * has the rest of its line: three columns, of which the status and the name span two.
 */
export function ItemHeader({ name, breadcrumb, lead, mark, actions }: Props) {
  return (
    <header className="mb-4 flex flex-col gap-2 max-sm:mb-1 max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto_auto] max-sm:gap-x-3 max-sm:gap-y-1">
      <div className="min-w-0 text-muted text-secondary lg:has-[[data-repeats-menu]]:hidden">{breadcrumb}</div>
      <div className="flex min-h-control flex-wrap items-start justify-between gap-x-4 gap-y-3 max-sm:contents">
        <div className="flex min-w-0 flex-1 basis-80 items-start gap-3 max-sm:contents">
          {/* The status follows the last word of a name that wraps. */}
          <div className="wrap-anywhere min-w-0 sm:py-[3px] max-sm:contents">
            <h1
              tabIndex={-1}
              className="inline text-title outline-none [font-weight:650] max-sm:col-span-2 max-sm:row-start-2 max-sm:line-clamp-2 max-sm:self-center"
            >
              {name}
            </h1>
            {mark && (
              <span className="ml-2.5 inline-flex align-[3px] max-sm:col-span-2 max-sm:col-start-2 max-sm:row-start-1 max-sm:ml-0 max-sm:flex max-sm:justify-end">
                {mark}
              </span>
            )}
          </div>
          {lead && <div className="-order-1 shrink-0 max-sm:hidden">{lead}</div>}
        </div>
        {actions && (
          <div className="flex flex-wrap items-center gap-2.5 max-sm:col-start-3 max-sm:row-start-2 max-sm:flex-nowrap max-sm:justify-end">
            {actions}
          </div>
        )}
      </div>
    </header>
  );
}
