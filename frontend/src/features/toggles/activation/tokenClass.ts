import { cx } from '@/lib/cx';

/** Classes of a word of a rule that can be edited. */
export function tokenClass(isChanged: boolean): string {
  return cx(
    'inline-block rounded-[6px] border bg-surface px-1.5 text-left font-semibold leading-[22px] transition-colors duration-120',
    isChanged ? 'border-dirty text-dirty' : 'border-line-strong',
  );
}
