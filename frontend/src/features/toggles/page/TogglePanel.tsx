import type { Toggle } from '@/api/generated/types';
import { areStrategiesKnown } from '@/api/newerTypes';
import { usePermission } from '@/api/permissions';
import { useMetrics } from '@/api/reads';
import type { ToggleTab } from '@/paths';
import { Activation } from '../activation/Activation';
import { ToggleLog } from '../log/ToggleLog';
import { ToggleMetrics } from '../metrics/ToggleMetrics';
import { ToggleVariants } from '../variants/ToggleVariants';
import { UnknownStrategies } from './UnknownStrategies';

interface Props {
  toggle: Toggle;
  tab: ToggleTab;
  /** Reason why the toggle cannot be changed, whatever permissions the user has. */
  lockedReason: string | undefined;
}

/** Content of a tab, for active and archived toggles. */
export function TogglePanel({ toggle, tab, lockedReason }: Props) {
  // On every tab, so that the history of the metrics tab has no gaps.
  useMetrics(true);
  const variantsReason = usePermission('UPDATE_FEATURE_ENVIRONMENT_VARIANTS');
  if (!areStrategiesKnown(toggle) && (tab === 'strategies' || tab === 'variants')) return <UnknownStrategies />;
  switch (tab) {
    case 'strategies':
      return <Activation key={toggle.name} toggle={toggle} lockedReason={lockedReason} />;
    case 'view':
      return <ToggleMetrics toggle={toggle} />;
    case 'variants':
      return <ToggleVariants toggle={toggle} readOnlyReason={lockedReason ?? variantsReason} />;
    case 'history':
      return <ToggleLog name={toggle.name} />;
  }
}
