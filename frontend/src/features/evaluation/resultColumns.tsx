// Columns of the evaluation page. The whole row is a link to the toggle. On phones a row is a card: name and result, then
// the variant and the reason.
import type { ContextResult } from '@/api/generated/types';
import { areStrategiesKnown } from '@/api/newerTypes';
import { describeCause } from '@/domain/evaluation/describeCause';
import type { LabContext } from '@/domain/evaluation/labContext';
import { ResultChip } from '@/domain/evaluation/ResultChip';
import { cx } from '@/lib/cx';
import { useLocale } from '@/lib/locale';
import { TextLink } from '@/shared/TextLink';
import { Chip } from '@/ui/Chip';
import type { GridColumn, GridLayout } from '@/ui/GridColumn';
import { Skeleton } from '@/ui/Skeleton';
import type { EvaluatedToggle } from './useEvaluatedToggles';

type Column = GridColumn<EvaluatedToggle>;

/** Columns and sizes of the table of results. */
export interface ResultLayout extends GridLayout<EvaluatedToggle, EvaluatedToggle> {
  /** In pixels; on phones, an estimate. */
  rowHeight: { wide: number; narrow: number };
}

const resultNameColumn: GridColumn<EvaluatedToggle> = {
  header: 'Toggle',
  width: 'minmax(184px,2fr)',
  isHeading: true,
  className: 'flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 pr-4 text-left font-semibold',
  cell: ({ toggle, href }) => (
    <>
      <TextLink to={href} className="wrap-anywhere line-clamp-2 after:absolute after:inset-0">
        {toggle.name}
      </TextLink>
      {toggle.stale && <Chip tone="warn">Stale</Chip>}
    </>
  ),
  skeleton: (width) => <Skeleton width={Math.min(width, 180)} height={12} />,
};

const resultColumn: GridColumn<EvaluatedToggle> = {
  header: 'Result',
  width: '132px',
  className: 'flex min-w-0 pr-3 max-sm:pr-2',
  cell: ({ result }) => result && <ResultChip result={result} />,
  skeleton: () => <Skeleton width={60} height={20} />,
};

const OLD_LIBRARIES = 'Client libraries before October 2023 hash the id in another way.';

const variantColumn: GridColumn<EvaluatedToggle> = {
  header: 'Variant',
  width: 'minmax(0,1fr)',
  className: 'min-w-0 pr-3 text-secondary empty:max-sm:hidden max-sm:col-span-2 max-sm:flex max-sm:gap-x-2',
  cell: (row) => isServed(row) && <VariantCell {...row} />,
};

/** Returns whether the toggle can be on, so that an application gets the variant. */
function isServed({ result }: EvaluatedToggle): boolean {
  return result !== undefined && result.result !== 'off';
}

/** Returns whether the column of variants has a text for the row. */
export function hasVariant(row: EvaluatedToggle): boolean {
  return isServed(row) && getVariantText(row) !== undefined;
}

/** Returns whether old client libraries select another variant than the row shows. */
export function hasOtherVariant(row: EvaluatedToggle): boolean {
  return isServed(row) && row.oldVariant !== undefined;
}

function getVariantText({ result }: EvaluatedToggle): string | undefined {
  const isRandom = result?.reasons?.variant?.selection.code === 'random';
  return result?.variant ?? (isRandom ? 'at random' : undefined);
}

function VariantCell(row: EvaluatedToggle) {
  const { oldVariant } = row;
  const text = getVariantText(row);
  if (text === undefined) return null;
  return (
    <>
      <span className="block truncate">
        <span className="text-muted sm:hidden">Variant </span>
        {text}
      </span>
      {oldVariant !== undefined && (
        <span data-tip={OLD_LIBRARIES} className="block truncate text-warn">
          {oldVariant} in old libraries
        </span>
      )}
    </>
  );
}

const reasonColumn: GridColumn<EvaluatedToggle> = {
  header: 'Reason',
  width: 'minmax(0,4fr)',
  className: 'min-w-0 text-muted text-secondary max-sm:col-span-2 max-sm:pr-2',
  cell: (row) => <Reason {...row} />,
  skeleton: (width) => (
    <div className="max-sm:col-span-2">
      <Skeleton width={width} height={10} />
    </div>
  ),
};

function Reason(row: EvaluatedToggle) {
  const reason = getReason(row, useLocale());
  return (
    <span data-tip={reason} className="wrap-anywhere sm:line-clamp-2">
      {reason}
    </span>
  );
}

function getReason({ toggle, result, error }: EvaluatedToggle, locale: string): string {
  if (error) return `Not evaluated. ${error.message}`;
  if (!areStrategiesKnown(toggle)) return 'Not evaluated. The server has not sent the strategies of this toggle.';
  return result?.reasons ? describeCause(result.reasons, toggle.strategies, { locale }) : '';
}

/** Column of one of two results, with the variant below. */
function comparedColumn(header: string, pick: (row: EvaluatedToggle) => ContextResult | undefined): Column {
  return {
    header,
    width: '132px',
    className: 'grid min-w-0 justify-items-start gap-0.5 pr-3',
    cell: (row) => {
      const result = pick(row);
      return (
        result && (
          <>
            <span className="truncate text-label text-muted sm:hidden">{header}</span>
            <ResultChip result={result} />
            {result.variant !== undefined && result.result !== 'off' && (
              <span className="max-w-full truncate text-label text-muted">{result.variant}</span>
            )}
          </>
        )
      );
    },
    skeleton: () => <Skeleton width={60} height={20} />,
  };
}

/** Column with the reasons of both results, if the results differ. */
function comparedReasonColumn(titles: readonly string[]): Column {
  return {
    ...reasonColumn,
    className: 'min-w-0 text-muted text-secondary max-sm:col-span-3 max-sm:pr-2',
    cell: (row) => <ComparedReasons row={row} titles={titles} />,
  };
}

function ComparedReasons({ row, titles }: { row: EvaluatedToggle; titles: readonly string[] }) {
  const locale = useLocale();
  if (!row.differs) return <Reason {...row} />;
  return [row.result, row.compared].map((result, index) => {
    const text = result?.reasons ? describeCause(result.reasons, row.toggle.strategies, { locale }) : '';
    return (
      <span key={titles[index]} data-tip={text} className="wrap-anywhere block sm:truncate">
        <b className="font-semibold text-text">{titles[index]}:</b> {text}
      </span>
    );
  });
}

interface LayoutOptions {
  hasVariants: boolean;
  /** The evaluated contexts. The second one is undefined without a comparison. */
  first: LabContext | undefined;
  second: LabContext | undefined;
}

export function getLayout({ hasVariants, first = {}, second }: LayoutOptions): ResultLayout {
  if (second) {
    const titles = getContextTitles(first, second);
    const [one, other] = titles;
    return {
      columns: [
        { ...resultNameColumn, className: cx(resultNameColumn.className, 'max-sm:col-span-3') },
        comparedColumn(one, ({ result }) => result),
        comparedColumn(other, ({ compared }) => compared),
        comparedReasonColumn(titles),
      ],
      phoneColumns: 'auto auto minmax(0,1fr)',
      rowHeight: { wide: 60, narrow: 140 },
    };
  }
  return {
    columns: [resultNameColumn, resultColumn, ...(hasVariants ? [variantColumn] : []), reasonColumn],
    phoneColumns: 'minmax(0,1fr) auto',
    rowHeight: { wide: 48, narrow: 84 },
  };
}

/** Describes two contexts by the fields in which they differ, such as `7` and `4711` for two users. */
function getContextTitles(first: LabContext, second: LabContext): [string, string] {
  const fields = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  const differing = fields.filter((field) => first[field] !== second[field]);
  const describe = (context: LabContext): string => {
    if (differing.length === 1 && differing[0] === 'userId') return context['userId'] ?? 'no userId';
    return differing.map((field) => `${field} ${context[field] ?? 'missing'}`).join(', ');
  };
  return differing.length === 0 ? ['First', 'Second'] : [describe(first), describe(second)];
}
