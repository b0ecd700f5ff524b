import type { Toggle } from '@/api/generated/types';
import { useMetrics } from '@/api/reads';
import type { ToggleTab } from '@/paths';
import { Activation } from '../activation/Activation';
import { ToggleLog } from '../log/ToggleLog';
import { ToggleMetrics } from '../metrics/ToggleMetrics';
import { ToggleVariants } from '../variants/ToggleVariants';

interface Props {
  toggle: Toggle;
  tab: ToggleTab;
  /** Reason why nothing can be changed. */
  readOnlyReason: string | undefined;
}

/** Content of a tab, for active and archived toggles. */
export function TogglePanel({ toggle, tab, readOnlyReason }: Props) {
  // On every tab, so that the history of the metrics tab has no gaps.
  useMetrics(true);
  switch (tab) {
    case 'strategies':
      return <Activation key={toggle.name} toggle={toggle} readOnlyReason={readOnlyReason} />;
    case 'view':
      return <ToggleMetrics toggle={toggle} />;
    case 'variants':
      return <ToggleVariants toggle={toggle} readOnlyReason={readOnlyReason} />;
    case 'history':
      return <ToggleLog name={toggle.name} />;
  }
}
