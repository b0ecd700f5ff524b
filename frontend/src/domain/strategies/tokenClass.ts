import { cx } from '@/lib/cx';

/** Classes of a word of a rule that can be edited. It is inline, so that the sentence wraps like any text. */
export function tokenClass(isChanged: boolean): string {
  return cx(
    'rounded-[6px] border bg-surface box-decoration-clone px-1.5 py-[2px] font-semibold transition-colors duration-120',
    isChanged ? 'border-dirty text-dirty' : 'border-line-strong',
  );
}
