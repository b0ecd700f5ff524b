import { cx } from '@/lib/cx';

export const fieldLabelClass = 'font-semibold text-secondary';

/** Text of 16 px on touch screens: with less, phones zoom in when a field is tapped. */
export const inputClass = cx(
  'h-control w-full min-w-0 rounded-control border border-line-control bg-surface px-3 text-body text-text',
  'transition-colors duration-120 hover:border-muted aria-invalid:border-danger',
  'locked:border-line locked:bg-line/50 locked:text-muted focus-visible:outline-offset-0 touch:h-touch touch:text-section',
);
