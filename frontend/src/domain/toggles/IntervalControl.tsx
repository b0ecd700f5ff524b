import { SegmentedControl } from '@/ui/SegmentedControl';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { getIntervalProps, type ToggleViewProps } from './ToggleViewControls';
import { HOURLY_REASON, useCountsSource, useIsHourly } from './useShownCounts';

/** Selects the interval of the counts, or names the only one. Explains counts that are not complete. */
export function IntervalControl(view: ToggleViewProps) {
  const source = useCountsSource();
  if (!useIsHourly()) {
    const control = <SegmentedControl {...getIntervalProps(view)} />;
    return source ? (
      <span data-reason={source}>
        {control}
        <VisuallyHidden>{source}</VisuallyHidden>
      </span>
    ) : (
      control
    );
  }
  return (
    <span data-reason={HOURLY_REASON} className="text-muted text-secondary">
      Usage: last hour
      <VisuallyHidden>. {HOURLY_REASON}</VisuallyHidden>
    </span>
  );
}
