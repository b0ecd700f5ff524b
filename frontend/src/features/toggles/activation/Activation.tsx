import { Fragment, useState } from 'react';
import { strategies } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import type { NewerToggle } from '@/api/newerTypes';
import { usePermission } from '@/api/permissions';
import { EditCapture } from '@/ui/EditCapture';
import { LabCard } from '../lab/LabCard';
import { LabResults, LabStrategy } from '../lab/LabResults';
import { useLab } from '../lab/useLab';
import { ARCHIVED_REASON } from '../page/lockedReasons';
import { ActivationEditor } from './ActivationEditor';
import { ActivationLayout } from './ActivationLayout';
import { ImpactCard } from './Impact';
import { lintToggle } from './lintToggle';
import { NoStrategies } from './NoStrategies';
import { OrDivider } from './OrDivider';
import { StrategyCard } from './StrategyCard';

interface Props {
  toggle: Toggle;
  /** Reason why the toggle cannot be changed, whatever permissions the user has. */
  lockedReason: string | undefined;
}

export function Activation({ toggle, lockedReason }: Props) {
  const permissionReason = usePermission('UPDATE_FEATURE_STRATEGY');
  const readOnlyReason = lockedReason ?? permissionReason;
  // The editor stays once it was used, so that an outage does not discard unsaved edits.
  const [wasUsed, setWasUsed] = useState(false);
  return readOnlyReason === undefined || wasUsed ? (
    <EditCapture onEdit={() => setWasUsed(true)}>
      <ActivationEditor toggle={toggle} blockedReason={readOnlyReason} />
    </EditCapture>
  ) : (
    <ActivationView toggle={toggle} reason={readOnlyReason} />
  );
}

function ActivationView({ toggle, reason }: { toggle: NewerToggle; reason: string }) {
  const definitions = useRead(strategies).data?.strategies;
  const isArchived = reason === ARCHIVED_REASON;
  const versions = { saved: toggle, edited: toggle };
  const lab = useLab(versions, !isArchived);
  return (
    <LabResults lab={lab}>
      <ActivationLayout
        toggle={toggle}
        impact={isArchived ? undefined : <ImpactCard before={toggle} after={toggle} />}
        lint={lintToggle(toggle, definitions)}
        lab={isArchived ? undefined : <LabCard lab={lab} versions={versions} />}
      >
        {toggle.strategies.length === 0 && <NoStrategies />}
        {toggle.strategies.map((strategy, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: strategies have no name of their own, and nothing here moves.
          <Fragment key={index}>
            {index > 0 && <OrDivider />}
            <LabStrategy saved={index}>
              <StrategyCard strategy={strategy} definitions={definitions} segmentNames={toggle.segmentNames} />
            </LabStrategy>
          </Fragment>
        ))}
      </ActivationLayout>
    </LabResults>
  );
}
