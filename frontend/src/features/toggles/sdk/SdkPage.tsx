// Toggles as SDKs get them, in an outage of the flag service in which the page has no toggles of its own.

import type { ReactNode } from 'react';
import { openEnvironment } from '@/api/environment';
import type { SdkToggleState } from '@/api/recordedTypes';
import { useSdkToggles } from '@/api/sdkToggles';
import { RecordedSegments } from '@/domain/strategies/useSegmentName';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { HoldIcon } from '@/ui/icons';
import { Progress } from '@/ui/Progress';
import { ReadOnlyNote } from '@/ui/ReadOnlyNote';
import { Select } from '@/ui/Select';

/** The frame of a list or a toggle as SDKs get it: the note, the environment, and the states of the read. */
export function SdkPage({ children }: { children: (state: SdkToggleState) => ReactNode }) {
  const { data, error, reload } = useSdkToggles();
  if (data) {
    return (
      <div className="grid gap-3">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <ReadOnlyNote reason="As SDKs get them. Until the flag service responds, toggles can only be held off for SDKs." />
          <EnvironmentSelect {...data} />
        </div>
        {data.features.length === 0 ? (
          <NoToggles title="SDKs get no toggles from here that you can see">
            Either no SDK has requested toggles from Flagdeck, or you could not see their projects before the outage.
          </NoToggles>
        ) : (
          <RecordedSegments value={data.segments}>{children(data)}</RecordedSegments>
        )}
      </div>
    );
  }
  if (error?.isOutage) {
    return (
      <NoToggles title="Flagdeck cannot verify who you are">
        The flag service did not confirm a session of this browser in the 12 hours before the outage. Toggles are not
        shown without it.
      </NoToggles>
    );
  }
  if (error) return <ErrorPanel title="The toggles of SDKs could not be loaded" error={error} onRetry={reload} />;
  return <Progress label="Loading the toggles of SDKs" />;
}

/** Selects the environment of the page, if tokens of several are known. */
function EnvironmentSelect({ environment, environments }: SdkToggleState) {
  if (environments.length < 2) return null;
  return (
    <Select
      label="Environment"
      value={environment ?? ''}
      options={environments.map((name) => ({ value: name, label: name }))}
      onChange={openEnvironment}
    />
  );
}

/** Nothing can be shown; the command works without a session. */
function NoToggles({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <EmptyState icon={<HoldIcon size={22} />} title={title}>
        <p>{children}</p>
        <p className="mt-2">
          To switch a toggle off for SDKs, run <code>flagdeck hold NAME --reason TEXT</code> on the machine of Flagdeck.
        </p>
      </EmptyState>
    </Card>
  );
}
