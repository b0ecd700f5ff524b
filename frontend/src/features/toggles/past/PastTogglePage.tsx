import type { Toggle } from '@/api/generated/types';
import { usePastReason } from '@/api/pastView';
import { useFeatureTypes, useMetricsStatus } from '@/api/reads';
import type { RecordedState } from '@/api/recordedTypes';
import { PastPage } from '@/domain/past/PastPage';
import { ToggleTypeIcon } from '@/domain/toggles/ToggleCells';
import { inPast, type PastView, paths, sections, type ToggleTab } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { LinkButton } from '@/shared/LinkButton';
import { Card } from '@/ui/Card';
import { Chip } from '@/ui/Chip';
import { EmptyState } from '@/ui/EmptyState';
import { ItemHeader } from '@/ui/ItemHeader';
import { UnknownPageIcon } from '@/ui/icons';
import { ToggleLog } from '../log/ToggleLog';
import { CallHistory } from '../metrics/CallHistory';
import { Section } from '../metrics/Section';
import { ToggleTabs } from '../page/ToggleTabs';
import { ReadOnlyActivation } from '../sdk/ReadOnlyActivation';
import { UnsupportedMetricsNote } from '../unsupported/UnsupportedServerPanel';
import { ToggleVariants } from '../variants/ToggleVariants';

interface Props {
  name: string;
  tab: ToggleTab;
  view: PastView;
}

/** Page of a toggle at an earlier time: as SDKs got it, with its calls and its events until then. */
export function PastTogglePage({ name, tab, view }: Props) {
  const find = (state: RecordedState | undefined) => state?.features.find((one) => one.name === name);
  return (
    <PastPage view={view} header={(state) => <Header name={name} toggle={find(state)} />}>
      {(state) => {
        const toggle = find(state);
        return toggle ? <PastToggle toggle={toggle} tab={tab} view={view} /> : <NoToggle name={name} view={view} />;
      }}
    </PastPage>
  );
}

function Header({ name, toggle }: { name: string; toggle: Toggle | undefined }) {
  return (
    <ItemHeader
      breadcrumb={<Breadcrumb within={sections.toggles} />}
      name={name}
      mark={
        toggle && (
          <span className="flex gap-2">
            <Chip tone={toggle.enabled ? 'on' : 'neutral'}>{toggle.enabled ? 'On' : 'Off'}</Chip>
            {toggle.stale && <Chip tone="warn">Stale</Chip>}
          </span>
        )
      }
    />
  );
}

function NoToggle({ name, view }: { name: string; view: PastView }) {
  return (
    <Card>
      <EmptyState
        icon={<UnknownPageIcon size={20} />}
        title="SDKs did not get this toggle then"
        actions={
          <>
            <LinkButton to={inPast(paths.toggles(), view)}>All toggles at this time</LinkButton>
            <LinkButton to={paths.toggleHistory(name)}>Log</LinkButton>
          </>
        }
      >
        It did not exist at this time, was archived, or belongs to a project that the token does not include.
      </EmptyState>
    </Card>
  );
}

function PastToggle({ toggle, tab, view }: { toggle: Toggle; tab: ToggleTab; view: PastView }) {
  const reason = usePastReason() ?? '';
  const types = useFeatureTypes();
  return (
    <>
      <p className="wrap-anywhere -mt-2 mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-secondary max-sm:mt-0">
        <span className="inline-flex items-center gap-1.5">
          <ToggleTypeIcon type={toggle.type} />
          {types.find(({ id }) => id === toggle.type)?.name ?? toggle.type}
        </span>
        {toggle.project && <span>Project {toggle.project}</span>}
        {toggle.description && <span>{toggle.description}</span>}
      </p>
      <ToggleTabs name={toggle.name} href={(name, id) => inPast(paths.toggle(name, id), view)} current={tab} />
      <PastPanel toggle={toggle} tab={tab} view={view} reason={reason} />
    </>
  );
}

/** Content of a tab. */
function PastPanel({ toggle, tab, view, reason }: Omit<Props, 'name'> & { toggle: Toggle; reason: string }) {
  switch (tab) {
    case 'strategies':
      return <ReadOnlyActivation key={toggle.name} toggle={toggle} />;
    case 'view':
      return <PastMetrics toggle={toggle.name} view={view} />;
    case 'variants':
      return <ToggleVariants toggle={toggle} readOnlyReason={reason} />;
    case 'history':
      return <ToggleLog name={toggle.name} view={view} />;
  }
}

/** The calls until the time of the page. Only these have stored counts of earlier times. */
function PastMetrics({ toggle, view }: { toggle: string; view: PastView }) {
  const { isUnsupported } = useMetricsStatus(true);
  return (
    <div className="grid gap-4">
      <Section title="Calls">
        {isUnsupported ? <UnsupportedMetricsNote /> : <CallHistory toggle={toggle} view={view} />}
      </Section>
      <p className="text-muted text-secondary">
        Impact metrics, and when and where the toggle was last seen, are only shown at the present.
      </p>
    </div>
  );
}
