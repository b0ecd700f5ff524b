import type { ReactNode } from 'react';
import type { Counts } from '@/api/generated/types';
import { yesRate } from '@/domain/toggles/yesRate';
import { cx } from '@/lib/cx';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { periodFormatter } from './periodFormat';
import type { ApplicationCounts, Period, Range } from './periods';

/** The counts of the chart as a table, newest first. */
export function PeriodTable({ periods, range }: { periods: readonly Period[]; range: Range }) {
  const locale = useLocale();
  const formatPeriod = periodFormatter(range, locale);
  const label = range === 'hour' ? 'Counts per minute' : 'Counts per hour';
  const rows = periods.flatMap(({ start, counts }) => (counts ? [{ start, counts }] : [])).reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the focused element.
    <section aria-label={label} tabIndex={0} className="max-h-80 overflow-y-auto rounded-control border border-line">
      <CountsTable label={label} header={range === 'hour' ? 'Minute' : 'Hour'}>
        {rows.map(({ start, counts }) => (
          <CountsRow key={start} counts={counts}>
            {formatPeriod(start)}
          </CountsRow>
        ))}
      </CountsTable>
    </section>
  );
}

/** The counts of each application in the range. */
export function ApplicationTable({ applications }: { applications: readonly ApplicationCounts[] }) {
  return (
    <CountsTable label="Calls by application" header="Application">
      {applications.map(({ name, ...counts }) => (
        <CountsRow key={name} counts={counts}>
          {name === '' ? (
            OTHER_APPLICATIONS
          ) : (
            <TextLink
              to={paths.application(name)}
              tone="accent"
              className="wrap-anywhere inline-flex items-center touch:min-h-touch"
            >
              {name}
            </TextLink>
          )}
        </CountsRow>
      ))}
    </CountsTable>
  );
}

/** The applications that the server does not count separately. */
export const OTHER_APPLICATIONS = 'Other applications';

function CountsTable({ label, header, children }: { label: string; header: string; children: ReactNode }) {
  return (
    <table aria-label={label} className="w-full text-secondary tabular-nums">
      <thead className="sticky top-0 bg-surface text-muted">
        <tr>
          <th scope="col" className={cx(CELL, 'text-left')}>
            {header}
          </th>
          {['Yes', 'No', 'Yes rate'].map((column) => (
            <th key={column} scope="col" className={cx(CELL, 'text-right')}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function CountsRow({ counts, children }: { counts: Counts; children: ReactNode }) {
  const locale = useLocale();
  return (
    <tr className="border-line border-t">
      <th scope="row" className={cx(CELL, 'text-left font-normal')}>
        {children}
      </th>
      <td className={cx(CELL, 'text-right')}>{formatNumber(counts.yes, locale)}</td>
      <td className={cx(CELL, 'text-right')}>{formatNumber(counts.no, locale)}</td>
      <td className={cx(CELL, 'text-right')}>{counts.yes + counts.no > 0 ? `${yesRate(counts)} %` : '–'}</td>
    </tr>
  );
}

const CELL = 'px-1.5 py-1.5 font-medium sm:px-3';
