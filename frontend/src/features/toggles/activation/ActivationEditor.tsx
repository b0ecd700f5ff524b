import { useRef } from 'react';
import { context as contextFields, strategies } from '@/api/endpoints';
import { useRead } from '@/api/hooks';
import type { NewerToggle } from '@/api/newerTypes';
import { usePermission } from '@/api/permissions';
import { describeToggleChanges } from '@/domain/changes/describeChanges';
import { useLocale } from '@/lib/locale';
import { LabCard } from '../lab/LabCard';
import { LabResults } from '../lab/LabResults';
import { useLab } from '../lab/useLab';
import { ActivationLayout } from './ActivationLayout';
import { AddStrategyMenu } from './AddStrategyMenu';
import { ImpactCard } from './Impact';
import { NoStrategies } from './NoStrategies';
import { StrategyList } from './StrategyList';
import { PendingChangesCard, UnsavedChanges } from './UnsavedChanges';
import { useActivation } from './useActivation';
import { useStrategyEdits } from './useStrategyEdits';

interface Props {
  toggle: NewerToggle;
  /** Reason why nothing can be saved now. */
  blockedReason: string | undefined;
}

export function ActivationEditor({ toggle, blockedReason }: Props) {
  const known = useRead(strategies);
  const definitions = known.data?.strategies;
  const context = useRead(contextFields).data;
  const list = useRef<HTMLOListElement>(null);
  const activation = useActivation(toggle);
  const { drafts, dirty } = activation;
  const edits = useStrategyEdits({ toggle, activation, definitions, context, list });
  const [before, after] = activation.preview(dirty);
  const versions = { saved: toggle, edited: after };
  const lab = useLab(versions);
  const changes = describeToggleChanges(before, after, definitions, useLocale());
  const addReason = usePermission('CREATE_FEATURE_STRATEGY');
  return (
    <LabResults lab={lab}>
      <ActivationLayout
        toggle={toggle}
        isEdited={dirty.length > 0}
        impact={<ImpactCard before={before} after={after} />}
        lint={edits.warnings}
        onFix={blockedReason === undefined ? edits.fix : undefined}
        lab={<LabCard lab={lab} versions={versions} />}
        aside={<PendingChangesCard changes={changes} />}
        actions={
          <AddStrategyMenu
            {...edits.choices}
            size="small"
            definitions={definitions ?? []}
            failure={known.error}
            onRetry={known.reload}
            disabledReason={known.isLoading ? 'Strategies are still loading.' : addReason}
          />
        }
      >
        {drafts.length === 0 && <NoStrategies />}
        <StrategyList
          list={list}
          activation={activation}
          definitions={definitions}
          isLoading={known.isLoading}
          context={context}
          segmentNames={toggle.segmentNames}
          blockedReason={blockedReason}
        />
        <UnsavedChanges
          activation={activation}
          definitions={definitions}
          before={before}
          after={after}
          versions={versions}
          changes={changes}
          blockedReason={blockedReason}
        />
        {activation.conflict}
      </ActivationLayout>
    </LabResults>
  );
}
