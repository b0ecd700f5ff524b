import { useMemo } from 'react';
import type { Application } from '@/api/generated/types';
import { useToggleList } from '@/api/toggles';
import { paths } from '@/paths';
import { StatusOffIcon, StatusOnIcon } from '@/ui/icons';
import { useArchivedNames } from '../useMissingItems';
import { ArchivedToggleLink } from './ArchivedToggleLink';
import { InstanceTable } from './InstanceTable';
import { ReportedItemList } from './ReportedItemList';
import { Section } from './Section';

/** The data that the application reported: toggles, strategies and instances. */
export function ApplicationDetails({ application }: { application: Application }) {
  const { seenToggles, strategies, instances } = application;
  const archived = useArchivedNames();
  const { data } = useToggleList();
  const states = useMemo(() => new Map(data?.features.map(({ name, enabled }) => [name, enabled])), [data]);
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Section title="Toggles" count={seenToggles.length} empty="It has not requested any toggles.">
        <ReportedItemList
          items={seenToggles}
          href={(name) => paths.toggle(name, 'view')}
          create={{ href: (name) => paths.createToggle(name), permission: 'CREATE_FEATURE' }}
          alternative={(name) => archived.has(name) && <ArchivedToggleLink name={name} />}
          mark={({ name }) => <EnabledIcon isEnabled={states.get(name)} />}
        />
      </Section>
      <Section title="Implemented strategies" count={strategies.length} empty="It has not reported any strategies.">
        <ReportedItemList
          items={strategies}
          href={paths.strategy}
          create={{ href: paths.createStrategy, permission: 'CREATE_STRATEGY' }}
        />
      </Section>
      <section aria-label="Registered instances" className="grid min-w-0 gap-3 lg:col-span-2">
        <h2 className="font-semibold">Registered instances</h2>
        {instances.length === 0 ? (
          <p className="text-muted">No instance has reported recently.</p>
        ) : (
          <InstanceTable instances={instances} />
        )}
      </section>
    </div>
  );
}

/** The state in the list: applications of newer servers do not contain that of the environment. */
function EnabledIcon({ isEnabled }: { isEnabled: boolean | undefined }) {
  if (isEnabled === undefined) return null;
  const [Icon, look, label] = isEnabled
    ? ([StatusOnIcon, 'text-on', 'On'] as const)
    : ([StatusOffIcon, 'text-muted', 'Off'] as const);
  return (
    <span role="img" aria-label={label} title={label} className={look}>
      <Icon />
    </span>
  );
}
