import { useCallback } from 'react';
import type { Toggle } from '@/api/generated/types';
import { usePastReason } from '@/api/pastView';
import type { RecordedState } from '@/api/recordedTypes';
import { PastPage } from '@/domain/past/PastPage';
import { inPast, type PastView, paths, sections } from '@/paths';
import { LinkButton } from '@/shared/LinkButton';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { OffIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { Switch } from '@/ui/Switch';
import { SdkToggleRows } from '../sdk/SdkToggleRows';

/** The toggle list at an earlier time. */
export function PastToggleList({ view }: { view: PastView }) {
  return (
    <PastPage
      view={view}
      header={(state) => (
        <PageHeader
          title={sections.toggles.label}
          count={state?.features.length}
          actions={<LinkButton to={inPast(paths.evaluation(), view)}>{sections.evaluation.label}</LinkButton>}
        />
      )}
    >
      {({ features }) => <Rows toggles={features} view={view} />}
    </PastPage>
  );
}

function Rows({ toggles, view }: { toggles: RecordedState['features']; view: PastView }) {
  const readOnlyReason = usePastReason();
  const href = useCallback((name: string) => inPast(paths.toggle(name), view), [view]);
  const control = useCallback(
    ({ name, enabled }: Toggle) => (
      <Switch label={name} checked={enabled} disabledReason={readOnlyReason} onChange={() => undefined} />
    ),
    [readOnlyReason],
  );
  if (toggles.length === 0) {
    return (
      <Card>
        <EmptyState icon={<OffIcon size={22} />} title="No toggles at this time">
          SDKs that asked for toggles got an empty list.
        </EmptyState>
      </Card>
    );
  }
  return <SdkToggleRows toggles={toggles} href={href} control={control} />;
}
