import { useLocation } from 'react-router-dom';
import { strategies } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { usePastReason } from '@/api/pastView';
import { useFeatureTypes } from '@/api/reads';
import type { RecordedState } from '@/api/recordedTypes';
import { PastPage } from '@/domain/past/PastPage';
import { ToggleTypeIcon } from '@/domain/toggles/ToggleCells';
import { inPast, type PastView, paths, sections, type ToggleTab } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { LinkButton } from '@/shared/LinkButton';
import { TabLinks } from '@/shared/TabLinks';
import { Card } from '@/ui/Card';
import { Chip } from '@/ui/Chip';
import { EmptyState } from '@/ui/EmptyState';
import { ItemHeader } from '@/ui/ItemHeader';
import { HistoryIcon, UnknownPageIcon } from '@/ui/icons';
import { ReadOnlyNote } from '@/ui/ReadOnlyNote';
import { RuleList } from '../activation/Activation';
import { NoStrategies } from '../activation/NoStrategies';
import { LabCard } from '../lab/LabCard';
import { LabResults } from '../lab/LabResults';
import { useLab } from '../lab/useLab';
import { ToggleVariants } from '../variants/ToggleVariants';

interface Props {
  name: string;
  tab: ToggleTab;
  view: PastView;
}

/** Page of a toggle at an earlier time: its activation and its variants. Metrics and events have times of their own. */
export function PastTogglePage({ name, tab, view }: Props) {
  const find = (state: RecordedState | undefined) => state?.features.find((one) => one.name === name);
  return (
    <PastPage view={view} header={(state) => <Header name={name} toggle={find(state)} />}>
      {(state) => {
        const toggle = find(state);
        return toggle ? <PastToggle toggle={toggle} tab={tab} view={view} /> : <NoToggle view={view} />;
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
      actions={
        <LinkButton to={paths.toggleHistory(name)} icon={<HistoryIcon />}>
          Log
        </LinkButton>
      }
    />
  );
}

function NoToggle({ view }: { view: PastView }) {
  return (
    <Card>
      <EmptyState
        icon={<UnknownPageIcon size={20} />}
        title="SDKs did not get this toggle then"
        actions={<LinkButton to={inPast(paths.toggles(), view)}>All toggles at this time</LinkButton>}
      >
        It did not exist at this time, was archived, or belongs to a project that the token does not include.
      </EmptyState>
    </Card>
  );
}

function PastToggle({ toggle, tab, view }: { toggle: Toggle; tab: ToggleTab; view: PastView }) {
  const reason = usePastReason() ?? '';
  const types = useFeatureTypes();
  // The fragment contains the context of the evaluation.
  const { hash } = useLocation();
  const tabs = [
    { id: 'strategies', label: 'Activation' },
    { id: 'variants', label: 'Variants' },
  ] as const;
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
      <TabLinks
        label="Toggle sections"
        tabs={tabs.map(({ id, label }) => ({ id, label, path: inPast(paths.toggle(toggle.name, id), view) + hash }))}
        current={tab}
      />
      <div className="-mt-2 mb-4">
        <ReadOnlyNote reason={reason} />
      </div>
      {tab === 'variants' ? (
        <ToggleVariants toggle={toggle} readOnlyReason={reason} />
      ) : (
        <PastActivation key={toggle.name} toggle={toggle} />
      )}
    </>
  );
}

function PastActivation({ toggle }: { toggle: Toggle }) {
  const definitions = useRead(strategies, { handlesFailure: true }).data?.strategies;
  const versions = { saved: toggle, edited: toggle };
  const lab = useLab(versions);
  return (
    <LabResults lab={lab}>
      <div className="grid items-start gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_300px]">
        <section aria-labelledby="activation-heading" className="grid min-w-0 gap-3">
          <h2 id="activation-heading" className="sr-only">
            Activation strategies
          </h2>
          {toggle.strategies.length === 0 && <NoStrategies />}
          <RuleList toggle={toggle} definitions={definitions} />
        </section>
        <LabCard lab={lab} versions={versions} />
      </div>
    </LabResults>
  );
}
