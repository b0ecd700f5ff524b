// Geometry of the chart of calls: yes above a line, no below it. The plot is 100 high and one unit wide per period.
import type { Counts } from '@/api/generated/types';
import type { Period } from './periods';

export interface Scale {
  /** Value at the upper edge; 0 without yes. */
  yes: number;
  /** Value at the lower edge; 0 without no. */
  no: number;
  /** Distance of the line from the upper edge. */
  zero: number;
}

const HEIGHT = 100;
const STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8];
/** Small counts stay visible. */
const MIN_BAR = 1;

/** Both directions have the same scale. */
export function chartScale(periods: readonly Period[]): Scale {
  const highest = (key: keyof Counts) => periods.reduce((max, { counts }) => Math.max(max, counts?.[key] ?? 0), 0);
  const yes = roundUp(highest('yes'));
  const no = roundUp(highest('no'));
  return { yes, no, zero: yes + no === 0 ? HEIGHT / 2 : (yes / (yes + no)) * HEIGHT };
}

/** Rounds up to a multiple of a power of ten. */
function roundUp(value: number): number {
  if (value === 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  return (STEPS.find((factor) => factor * power >= value) ?? 10) * power;
}

/** SVG path of all bars of one direction. */
export function barPath(periods: readonly Period[], key: keyof Counts, scale: Scale): string {
  const direction = key === 'yes' ? -1 : 1;
  return periods
    .map(({ counts }, index) => {
      const value = counts?.[key] ?? 0;
      if (value === 0) return '';
      const height = Math.max(MIN_BAR, (value / (scale.yes + scale.no)) * HEIGHT);
      return `M${index + 0.1} ${scale.zero}v${direction * height}h.8V${scale.zero}z`;
    })
    .join('');
}

/** SVG path of the periods without counts. Adjacent periods are one rectangle. */
export function gapPath(periods: readonly Period[]): string {
  let path = '';
  let start: number | undefined;
  for (let index = 0; index <= periods.length; index += 1) {
    const isGap = index < periods.length && periods[index]?.counts === undefined;
    if (isGap) start ??= index;
    else if (start !== undefined) {
      path += `M${start} 0H${index}V${HEIGHT}H${start}z`;
      start = undefined;
    }
  }
  return path;
}
