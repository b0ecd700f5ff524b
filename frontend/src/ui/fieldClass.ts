import { cx } from '@/lib/cx';

export const fieldLabelClass = 'font-semibold text-secondary';

/** Uses 16 px text on touch screens: phones zoom in on fields with smaller text. */
export const inputClass = cx(
  'h-control w-full min-w-0 rounded-control border border-line-control bg-surface px-3 text-body text-text',
  'transition-colors duration-120 hover:border-muted aria-invalid:border-danger',
  'locked:border-line locked:bg-line/50 locked:text-muted focus-visible:outline-offset-0 touch:h-touch touch:text-section',
);
