import { type ReactNode, Suspense } from 'react';
import { useCapabilities } from '@/api/capabilities';
import type { Toggle } from '@/api/generated/types';
import { areStrategiesKnown } from '@/api/newerTypes';
import { usePastView } from '@/api/pastView';
import { usePermission, useProfile } from '@/api/permissions';
import { useMetrics } from '@/api/reads';
import { useHasSdkToggles } from '@/api/sdkToggles';
import { useRevive } from '@/domain/toggles/useRevive';
import { paths, sections, type ToggleTab, toToggleTab } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { useRouteParams } from '@/shared/useRouteParams';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { StrategyIcon } from '@/ui/icons';
import { lazyPage } from '@/ui/lazy';
import { PageHeader } from '@/ui/PageHeader';
import { Progress } from '@/ui/Progress';
import { ReadOnlyNote } from '@/ui/ReadOnlyNote';
import { Activation } from './activation/Activation';
import { ArchivedHeader } from './page/ArchivedHeader';
import { ARCHIVED_REASON, GONE_REASON } from './page/lockedReasons';
import { type GoneToggle, ToggleHeader } from './page/ToggleHeader';
import { ToggleLoader } from './page/ToggleLoader';
import { ToggleNotFound } from './page/ToggleNotFound';
import { ToggleSkeleton } from './page/ToggleSkeleton';
import { ToggleTabs } from './page/ToggleTabs';
import { UseInCode } from './page/UseInCode';
import { type ToggleReadState, useToggle } from './page/useToggle';
import { UnsupportedServerPage } from './unsupported/UnsupportedServerPanel';

/** Page of an active or archived toggle. Both URLs show either, so that links survive archiving and reviving. */
export function TogglePage() {
  const { activeTab, name = '' } = useRouteParams();
  const tab = toToggleTab(activeTab);
  const view = usePastView();
  return view ? <PastTogglePage name={name} tab={tab} view={view} /> : <CurrentTogglePage name={name} tab={tab} />;
}

const SdkTogglePage = lazyPage(() => import('./sdk/SdkTogglePage'), 'SdkTogglePage');
const PastTogglePage = lazyPage(() => import('./past/PastTogglePage'), 'PastTogglePage');
// A link to a toggle opens the strategies. The other tabs load in idle time.
const MetricsPanel = lazyPage(() => import('./metrics/MetricsPanel'), 'MetricsPanel');
const ToggleVariants = lazyPage(() => import('./variants/ToggleVariants'), 'ToggleVariants');
const ToggleLog = lazyPage(() => import('./log/ToggleLog'), 'ToggleLog');

function CurrentTogglePage({ name, tab }: { name: string; tab: ToggleTab }) {
  const result = useToggle(name);
  const readOnlyReason = usePermission('UPDATE_FEATURE');
  const gone = goneToggle(result.state);
  const hasSdkToggles = useHasSdkToggles();
  if (result.state === 'failed' && hasSdkToggles) return <SdkTogglePage name={name} />;
  return (
    <ToggleLoader
      name={name}
      result={result}
      notFound={<OtherToggle name={name} result={result} tab={tab} />}
      failedHeader={<PageHeader title={name} breadcrumb={<Breadcrumb within={sections.toggles} />} />}
      skeleton={<ToggleSkeleton name={name} tabs={<ToggleTabs name={name} href={paths.toggle} current={tab} />} />}
    >
      {(toggle, goneItem) => (
        <LiveToggle
          toggle={toggle}
          tab={tab}
          readOnlyReason={gone?.reason ?? readOnlyReason}
          gone={gone}
          notice={
            gone &&
            goneItem && (
              <ToggleGoneNotice toggle={toggle} isArchived={result.state === 'archived'} onDiscard={goneItem.discard} />
            )
          }
        />
      )}
    </ToggleLoader>
  );
}

interface OtherToggleProps {
  name: string;
  result: ToggleReadState;
  tab: ToggleTab;
}

/** Page of an archived toggle, and of one that cannot be shown. */
function OtherToggle({ name, result, tab }: OtherToggleProps) {
  if (result.state === 'unsupported') return <UnsupportedServerPage title={name} error={result.error} />;
  if (result.state !== 'archived') return <ToggleNotFound name={name} />;
  return (
    <>
      <ArchivedHeader toggle={result.toggle} />
      <ToggleTabs name={name} href={paths.archivedToggle} current={tab} />
      <ArchivedNote />
      <TogglePanel toggle={result.toggle} tab={tab} lockedReason={ARCHIVED_REASON} />
    </>
  );
}

function goneToggle(state: ToggleReadState['state']): GoneToggle | undefined {
  if (state === 'archived') return { label: 'Archived', reason: ARCHIVED_REASON };
  return state === 'missing' ? { label: 'Deleted', reason: GONE_REASON } : undefined;
}

interface LiveToggleProps {
  toggle: Toggle;
  tab: ToggleTab;
  readOnlyReason: string | undefined;
  gone: GoneToggle | undefined;
  notice: ReactNode;
}

function LiveToggle({ toggle, tab, readOnlyReason, gone, notice }: LiveToggleProps) {
  return (
    <>
      <ToggleHeader toggle={toggle} readOnlyReason={readOnlyReason} gone={gone} />
      {notice}
      <UseInCode toggle={toggle.name} />
      <ToggleTabs name={toggle.name} href={paths.toggle} current={tab} />
      {!gone && <ToggleReadOnlyNote />}
      <TogglePanel toggle={toggle} tab={tab} lockedReason={gone?.reason} />
    </>
  );
}

interface TogglePanelProps {
  toggle: Toggle;
  tab: ToggleTab;
  /** Reason why the toggle cannot be changed, whatever permissions the user has. */
  lockedReason: string | undefined;
}

/** Content of a tab, for active and archived toggles. */
function TogglePanel({ toggle, tab, lockedReason }: TogglePanelProps) {
  // On every tab, so that the history of the metrics tab has no gaps.
  useMetrics(true);
  const variantsReason = usePermission('UPDATE_FEATURE_ENVIRONMENT_VARIANTS');
  if (!areStrategiesKnown(toggle) && (tab === 'strategies' || tab === 'variants')) return <UnknownStrategies />;
  if (tab === 'strategies') return <Activation key={toggle.name} toggle={toggle} lockedReason={lockedReason} />;
  return (
    <Suspense fallback={<Progress label="Loading" />}>
      {tab === 'view' && <MetricsPanel toggle={toggle} />}
      {tab === 'variants' && <ToggleVariants toggle={toggle} readOnlyReason={lockedReason ?? variantsReason} />}
      {tab === 'history' && <ToggleLog name={toggle.name} />}
    </Suspense>
  );
}

/** Shown instead of the strategies and the variants of an archived toggle on a newer server. */
function UnknownStrategies() {
  return (
    <Card>
      <EmptyState icon={<StrategyIcon size={20} />} title="Strategies and variants are not in the archive list">
        This server lists archived toggles without them. Revive the toggle to see and change them.
      </EmptyState>
    </Card>
  );
}

interface ToggleGoneNoticeProps {
  toggle: Toggle;
  isArchived: boolean;
  onDiscard: () => void;
}

/** Above unsaved edits of a toggle that another user archived or deleted: explains it and offers the ways forward. */
function ToggleGoneNotice({ toggle, isArchived, onDiscard }: ToggleGoneNoticeProps) {
  const reviveDisabledReason = usePermission('UPDATE_FEATURE');
  const { revive, reviving, dialog } = useRevive();
  return (
    <div role="alert" className="mb-4 rounded-card border border-line bg-warn-soft p-4 text-warn">
      <p className="font-semibold">
        {isArchived ? 'This toggle was archived while you were editing it.' : GONE_REASON}
      </p>
      <p className="mt-1">
        Your unsaved changes are still on this page, but they cannot be saved.{' '}
        {isArchived
          ? 'Revive the toggle to save them, or copy them before you discard them.'
          : 'Copy them before you discard them.'}
      </p>
      <div className="mt-3 flex flex-wrap gap-2.5">
        {isArchived && (
          <Button
            variant="primary"
            busy={reviving}
            disabledReason={reviveDisabledReason}
            onClick={() => void revive(toggle)}
          >
            Revive
          </Button>
        )}
        <Button onClick={onDiscard}>Discard changes</Button>
      </div>
      {dialog}
    </div>
  );
}

/** Above the tab of a toggle that the user cannot change, with the reason. Not for an outage, which has its own banner. */
function ToggleReadOnlyNote() {
  const reason = usePermission('UPDATE_FEATURE', { ignoresOutage: true });
  const otherReasons = [
    usePermission('UPDATE_FEATURE_ENVIRONMENT', { ignoresOutage: true }),
    usePermission('UPDATE_FEATURE_STRATEGY', { ignoresOutage: true }),
  ];
  // Not while the profile is loading: a note that appears briefly would shift the page.
  const isKnown = useProfile() !== undefined;
  return (
    isKnown &&
    reason &&
    !otherReasons.includes(undefined) && (
      <div className={POSITION}>
        <ReadOnlyNote reason={reason} />
      </div>
    )
  );
}

function ArchivedNote() {
  const staysOff = useCapabilities().reviveStaysOff;
  return (
    <div className={POSITION}>
      <ReadOnlyNote reason={ARCHIVED_REASON} />
      <p className="mt-1 text-muted text-secondary">
        Applications that use an archived toggle get their default value. Reviving it restores it with all its settings
        {staysOff && ', off in every environment'}.
      </p>
    </div>
  );
}

const POSITION = '-mt-2 mb-4';
