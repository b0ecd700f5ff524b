import type { ResultChange, ResultCounts } from '@/api/generated/types';
import { formatNumber } from '@/lib/format';

/** Describes for how many contexts a toggle is on. */
export function describeCounts({ on, off, application, random }: ResultCounts, locale: string): string {
  const total = on + off + application + random;
  return `On for ${formatNumber(on, locale)} of ${formatTotal(total, locale)}.`;
}

function formatTotal(total: number, locale: string): string {
  return `${total === 1 ? 'this' : 'these'} ${formatNumber(total, locale)}`;
}

/** Describes the effect of an edit on a number of contexts. */
export function describeEffect(change: ResultChange, total: number, locale: string): string {
  const format = (value: number) => formatNumber(value, locale);
  const { turnedOn, turnedOff, lessCertain, otherVariant } = change;
  const sentences = [
    `This edit turns it on for ${format(turnedOn.length)} and off for ${format(turnedOff.length)} of ${formatTotal(total, locale)}.`,
  ];
  if (lessCertain.length > 0) sentences.push(`For ${format(lessCertain.length)}, it makes the result uncertain.`);
  if (otherVariant.length > 0) sentences.push(`${format(otherVariant.length)} get another variant.`);
  return sentences.join(' ');
}
