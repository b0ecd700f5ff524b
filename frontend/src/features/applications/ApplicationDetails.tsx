import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { Application, Instance, PermissionName } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { useToggleList } from '@/api/toggles';
import { useUnsupportedServer } from '@/api/unsupportedServer';
import { compareNames } from '@/lib/compareNames';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { Card } from '@/ui/Card';
import { Chip } from '@/ui/Chip';
import type { Column } from '@/ui/Column';
import { NotFoundIcon, StatusOffIcon, StatusOnIcon } from '@/ui/icons';
import { PlainTable } from '@/ui/PlainTable';
import { Time } from '@/ui/Time';
import { useIncrementalRows } from '@/ui/useIncrementalRows';
import { ArchivedToggleLink } from './ArchivedToggleLink';
import { apisOf, CLIENT_API_LABELS } from './clientApis';
import { isMissing, type MaybeMissing } from './missing';
import { useArchivedNames } from './useMissingItems';

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
    <span role="img" aria-label={label} data-tip={label} className={look}>
      <Icon />
    </span>
  );
}

/** Keeps the names of missing items in line with the others. The text beside it says that they are missing. */
function MissingIcon() {
  return (
    <span className="text-warn">
      <NotFoundIcon size={16} />
    </span>
  );
}

const apiColumn: Column<Instance> = {
  header: 'API',
  width: '9rem',
  className: 'text-muted',
  cell: ({ api }) => api && CLIENT_API_LABELS[api],
};

const columnsWith = (more: readonly Column<Instance>[]): readonly Column<Instance>[] => [
  { header: 'Instance id', width: '33.3333%', cell: ({ instanceId }) => instanceId },
  { header: 'SDK version', className: 'text-muted', cell: ({ sdkVersion }) => sdkVersion },
  ...more,
  { header: 'Client IP', className: 'text-muted tabular-nums', cell: ({ clientIp }) => clientIp },
  {
    header: 'Last seen',
    width: '8rem',
    className: 'text-muted',
    phoneLabel: 'Last seen',
    cell: ({ lastSeen }) => <Time value={lastSeen} />,
  },
];

function InstanceTable({ instances }: { instances: readonly Instance[] }) {
  const latestFirst = [...instances].sort((a, b) => Date.parse(b.lastSeen) - Date.parse(a.lastSeen));
  return (
    <PlainTable
      label="Registered instances"
      columns={columnsWith(apisOf(instances).length > 0 ? [apiColumn] : [])}
      rows={latestFirst}
      rowKey={({ instanceId }) => instanceId}
    />
  );
}

type NamedItem = MaybeMissing<{ name: string; description?: string | null }>;

interface ReportedItemListProps<Item extends NamedItem> {
  items: readonly Item[];
  /** Page of an existing item. */
  href: (name: string) => string;
  /** Form and permission to create a missing item. */
  create: { href: (name: string) => string; permission: PermissionName };
  /** Link to show instead if a missing item cannot be created. */
  alternative?: (name: string) => ReactNode;
  /** Shown before the name. */
  mark?: (item: Item) => ReactNode;
}

/** List of toggles or strategies that an application reported. Missing items come first. */
function ReportedItemList<Item extends NamedItem>({
  items,
  href,
  create,
  alternative,
  mark,
}: ReportedItemListProps<Item>) {
  // Detects a server whose toggles cannot be created here.
  useUnsupportedServer();
  const canCreate = usePermission(create.permission) === undefined;
  const sorted = useMemo(
    () => items.toSorted((a, b) => Number(isMissing(b)) - Number(isMissing(a)) || compareNames(a.name, b.name)),
    [items],
  );
  const { rendered, placeholder } = useIncrementalRows(sorted);
  return (
    <>
      <ul className="grid gap-y-2.5">
        {rendered.map((item) => (
          <li key={item.name} className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
            {isMissing(item) ? (
              <>
                {mark && <MissingIcon />}
                <span className="wrap-anywhere min-w-0 font-semibold">{item.name}</span>
                {alternative?.(item.name) ||
                  (canCreate ? (
                    <Link
                      to={create.href(item.name)}
                      aria-label={`Missing, want to create? ${item.name}`}
                      className="font-semibold text-secondary text-warn underline touch:inline-flex touch:min-h-touch touch:items-center"
                    >
                      Missing, want to create?
                    </Link>
                  ) : (
                    <Chip tone="warn">Missing</Chip>
                  ))}
              </>
            ) : (
              <>
                {mark?.(item)}
                <TextLink to={href(item.name)} className="wrap-anywhere min-w-0 font-semibold sm:min-w-44">
                  {item.name}
                </TextLink>
                {item.description && (
                  <span className="min-w-0 flex-1 basis-48 truncate text-muted text-secondary">{item.description}</span>
                )}
              </>
            )}
          </li>
        ))}
      </ul>
      {placeholder}
    </>
  );
}

interface SectionProps {
  title: string;
  count: number;
  /** Text for an empty section. */
  empty: string;
  children: ReactNode;
}

function Section({ title, count, empty, children }: SectionProps) {
  return (
    <section aria-label={title} className="min-w-0">
      <Card>
        <h2 className="mb-3 flex items-baseline gap-2 font-semibold">
          {title} <span className="font-normal text-faint tabular-nums">{count}</span>
        </h2>
        {count === 0 ? <p className="text-muted">{empty}</p> : children}
      </Card>
    </section>
  );
}
