import type { PopulationResult, ResultCounts, ToggleResult } from '@/api/generated/types';
import { formatProbability } from '@/domain/evaluation/describeReason';
import { cx } from '@/lib/cx';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';

interface Props {
  result: ToggleResult;
  /** Number of contexts. */
  total: number;
}

/** Number and share of contexts with each result and variant; with unsaved edits, before and after them. */
export function PopulationTable({ result: { saved, edited }, total }: Props) {
  const locale = useLocale();
  const sides = edited ? [saved, edited] : [saved];
  const headers = edited ? ['Saved', 'Unsaved'] : ['Contexts'];
  return (
    <table aria-label="Results of the population" className="w-full text-secondary tabular-nums">
      <thead className="text-muted">
        <tr>
          <th className="text-left font-medium">Result</th>
          {headers.map((header) => (
            <th key={header} className="w-24 text-right font-medium">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {getRows(sides).map(({ label, counts }) => (
          <tr key={label} className="border-line border-t">
            <th scope="row" className="wrap-anywhere py-1 pr-2 text-left font-medium">
              {label}
            </th>
            {counts.map((count, index) => (
              <td key={headers[index]} className="py-1 text-right align-top">
                {formatNumber(count, locale)}{' '}
                <span className={cx('text-muted', edited ? 'block text-label' : 'inline-block min-w-11')}>
                  {formatProbability(count / total, locale)}
                </span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface Row {
  label: string;
  /** One for each side. */
  counts: number[];
}

const RESULTS: readonly { key: keyof ResultCounts; label: string; isAlwaysShown: boolean }[] = [
  { key: 'on', label: 'On', isAlwaysShown: true },
  { key: 'off', label: 'Off', isAlwaysShown: true },
  { key: 'application', label: 'Application decides', isAlwaysShown: false },
  { key: 'random', label: 'On at random', isAlwaysShown: false },
];

function getRows(sides: readonly PopulationResult[]): Row[] {
  const results = RESULTS.map(({ key, label, isAlwaysShown }) => ({
    label,
    isAlwaysShown,
    counts: sides.map(({ counts }) => counts[key]),
  }));
  const names = new Set(sides.flatMap(({ variants }) => variants.map(({ name }) => name)));
  const variants = [...names].sort().map((name) => ({
    label: `Variant ${name}`,
    counts: sides.map((side) => side.variants.find((one) => one.name === name)?.count ?? 0),
  }));
  return [
    ...results.filter(({ isAlwaysShown, counts }) => isAlwaysShown || counts.some((count) => count > 0)),
    ...variants,
  ];
}
