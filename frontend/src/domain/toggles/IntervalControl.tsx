import { SegmentedControl } from '@/ui/SegmentedControl';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { getIntervalProps, type ToggleViewProps } from './ToggleViewControls';
import { HOURLY_REASON, useIsHourly } from './useShownCounts';

/** Selects the interval of the counts, or names the only one. */
export function IntervalControl(view: ToggleViewProps) {
  if (!useIsHourly()) return <SegmentedControl {...getIntervalProps(view)} />;
  return (
    <span data-reason={HOURLY_REASON} className="text-muted text-secondary">
      Usage: last hour
      <VisuallyHidden>. {HOURLY_REASON}</VisuallyHidden>
    </span>
  );
}
