import { Fragment, type ReactNode } from 'react';
import { useHref } from 'react-router-dom';
import { useNewerServer, useServerEnvironment, withEnvironment } from '@/api/environment';
import type { Toggle } from '@/api/generated/types';
import type { NewerToggle, OtherEnvironment } from '@/api/newerTypes';
import { usePermission } from '@/api/permissions';
import { useHoldAction, useIsHeld } from '@/domain/holds/holds';
import { useClockItems } from '@/domain/past/clockPrompt';
import { usePrompt } from '@/lib/prompt';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { copySubmenu } from '@/shared/CopyMenu';
import { useOpenPage } from '@/shared/navigation';
import { TextLink } from '@/shared/TextLink';
import { useOpenNextPage } from '@/shared/useOpenNextPage';
import { nearClass } from '@/ui/atHand';
import { Chip } from '@/ui/Chip';
import { ItemHeader } from '@/ui/ItemHeader';
import { ActiveIcon, ArchiveIcon, ConnectIcon, CopyIcon, MoreIcon, StaleIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { useIsNarrow } from '@/ui/useIsNarrow';
import { ArchiveDialog } from '../list/ArchiveDialog';
import { copiedToggle } from '../list/copiedToggle';
import { holdItem } from '../list/holdItem';
import { ToggleSwitch } from '../list/ToggleSwitch';
import { useToggleWrites } from '../saving/useToggleWrites';
import { ToggleDescription } from './ToggleDescription';
import { ToggleMetadata } from './ToggleMetadata';
import { openConnectDialog } from './UseInCode';
import { useLastSeen } from './useToggle';

interface Props {
  toggle: Toggle;
  /** Reason why the toggle cannot be changed. */
  readOnlyReason?: string | undefined;
  /** Set if the toggle was archived or deleted while it was edited. */
  gone?: GoneToggle | undefined;
}

export interface GoneToggle {
  label: 'Archived' | 'Deleted';
  reason: string;
}

export function ToggleHeader({ toggle, readOnlyReason, gone }: Props) {
  const open = useOpenPage();
  const openNext = useOpenNextPage();
  const createPermissionReason = usePermission('CREATE_FEATURE');
  const archivePermissionReason = usePermission('DELETE_FEATURE');
  const switchReason = usePermission('UPDATE_FEATURE_ENVIRONMENT');
  const cloneDisabledReason = gone?.reason ?? createPermissionReason;
  const archiveDisabledReason = gone?.reason ?? archivePermissionReason;
  const [archiving, archiveState] = usePrompt<Toggle>();
  useLastSeen(toggle.name);
  const isNarrow = useIsNarrow();
  const hold = useHoldAction();
  const isHeld = useIsHeld(toggle.name);
  const enabledSwitch = (
    <ToggleSwitch toggle={toggle} disabledReason={gone?.reason ?? switchReason} showLabel isBlock={isNarrow} />
  );
  return (
    <>
      <ItemHeader
        breadcrumb={<Breadcrumb within={sections.toggles} />}
        name={toggle.name}
        lead={!isNarrow && <span className={SWITCH}>{enabledSwitch}</span>}
        mark={
          <span className="flex flex-wrap gap-2">
            {gone ? <Chip>{gone.label}</Chip> : <StatusChip isStale={toggle.stale} />}
            {isHeld && <Chip tone="warn">Held for SDKs</Chip>}
          </span>
        }
        actions={
          <Menu
            label={`Actions for ${toggle.name}`}
            trigger={{ icon: <MoreIcon size={17} /> }}
            items={[
              {
                id: 'clone',
                label: 'Clone',
                icon: <CopyIcon />,
                disabledReason: cloneDisabledReason,
                onSelect: () => void open(paths.copyToggle(toggle.name)),
              },
              {
                id: 'status',
                label: 'Status',
                icon: toggle.stale ? <StaleIcon /> : <ActiveIcon />,
                disabledReason: readOnlyReason,
                items: useStatusChoices(toggle),
              },
              { separator: true },
              { id: 'use', label: 'Use it', icon: <ConnectIcon />, onSelect: () => openConnectDialog(toggle.name) },
              ...useClockItems(),
              copySubmenu(copiedToggle(toggle)),
              { separator: true },
              ...(hold.isOffered && !gone ? [holdItem(toggle.name, hold.disabledReason)] : []),
              {
                id: 'archive',
                label: 'Archive',
                icon: <ArchiveIcon />,
                tone: 'danger',
                disabledReason: archiveDisabledReason,
                onSelect: () => void archiving.ask(toggle),
              },
            ]}
          />
        }
      />
      {/* On phones, the switch is a row of its own, in the colour of its state. */}
      {isNarrow && <div className="mb-2">{enabledSwitch}</div>}
      <div className={nearClass}>
        <ToggleDescription toggle={toggle} readOnlyReason={readOnlyReason} />
        <ToggleMetadata toggle={toggle} readOnlyReason={readOnlyReason} />
      </div>
      <ToggleEnvironments toggle={toggle} />
      {archiveState && (
        <ArchiveDialog
          prompt={archiving}
          toggle={archiveState.question}
          onArchived={() => void openNext(paths.toggles())}
        />
      )}
    </>
  );
}

/** The switch of wide windows, with its state as a word. */
const SWITCH =
  'flex h-control shrink-0 items-center rounded-full border border-line bg-surface pr-3.5 pl-2 shadow-card';

/** Returns the entries of a menu that set the status. */
function useStatusChoices(toggle: Toggle) {
  const { setStale } = useToggleWrites();
  const choice = (stale: boolean, label: string, Icon: typeof StaleIcon) => ({
    id: String(stale),
    label,
    icon: <Icon />,
    checked: toggle.stale === stale,
    onSelect: () => {
      if (toggle.stale !== stale) void setStale(toggle, stale);
    },
  });
  return [choice(false, 'Set toggle Active', ActiveIcon), choice(true, 'Mark toggle as Stale', StaleIcon)];
}

/** Quiet for active toggles, which are the usual ones. */
function StatusChip({ isStale }: { isStale: boolean }) {
  return <Chip tone={isStale ? 'warn' : 'quiet'}>{isStale ? 'Stale' : 'Active'}</Chip>;
}

/** The state of a toggle in all environments of a newer server, and the toggles that it depends on. */
function ToggleEnvironments({ toggle }: { toggle: NewerToggle }) {
  const { otherEnvironments = [], children = [] } = toggle;
  const dependencies = toggle.dependencies ?? [];
  const entries = useEntries(toggle, otherEnvironments);
  if (entries.length + dependencies.length + children.length === 0 && !toggle.impressionData) return null;
  return (
    <div className="mb-4 grid gap-1 text-muted text-secondary">
      {entries.length > 0 && (
        <p data-testid="toggle-environments">
          {entries.map((entry, index) => (
            <Fragment key={entry.name}>
              {index > 0 && ' · '}
              <EnvironmentState {...entry} toggle={toggle} />
            </Fragment>
          ))}
        </p>
      )}
      {dependencies.length > 0 && (
        <Related text="Depends on" names={dependencies.map(({ feature }) => feature)}>
          {dependencies.some(({ enabled }) => enabled === false) && ' (some must be off)'}
        </Related>
      )}
      {children.length > 0 && <Related text="Required by" names={children} />}
      {toggle.impressionData && <p>Impression data: applications report each evaluation of this toggle.</p>}
    </div>
  );
}

interface Entry extends OtherEnvironment {
  isHere: boolean;
}

/** Returns the states in the order of the server. */
function useEntries(toggle: Toggle, others: readonly OtherEnvironment[]): Entry[] {
  const order = useNewerServer()?.environments.map(({ name }) => name) ?? [];
  const here = useServerEnvironment();
  if (!here) return [];
  const { enabled, strategies } = toggle;
  const entries: Entry[] = [
    ...others.map((one) => ({ ...one, isHere: false })),
    { name: here.name, enabled, strategies: strategies.length, isHere: true },
  ];
  // Environments that cannot be selected come last.
  const position = ({ name }: Entry) => (order.indexOf(name) + order.length + 1) % (order.length + 1);
  return entries.sort((a, b) => position(a) - position(b));
}

function EnvironmentState({ toggle, name, enabled, strategies, isHere }: Entry & { toggle: Toggle }) {
  const server = useNewerServer();
  const href = useHref(paths.toggle(toggle.name) + withEnvironment('', name));
  const canOpen = !isHere && server?.environment === null && server.environments.some((one) => one.name === name);
  const count = strategies === 1 ? '1 strategy' : `${strategies} strategies`;
  return (
    <>
      {canOpen ? (
        // Loads the page again, which discards all data of this environment.
        <a href={href} rel="external" className="font-semibold text-accent underline">
          {name}
        </a>
      ) : (
        <span className={isHere ? 'font-semibold text-text' : undefined}>{name}</span>
      )}
      {isHere && ' (here)'}: {enabled ? 'on' : 'off'}
      {strategies > 0 && `, ${count}`}
    </>
  );
}

function Related({ text, names, children }: { text: string; names: readonly string[]; children?: ReactNode }) {
  return (
    <p className="wrap-anywhere">
      {text}{' '}
      {names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <TextLink to={paths.toggle(name)} tone="accent" className="underline">
            {name}
          </TextLink>
        </Fragment>
      ))}
      {children}
    </p>
  );
}
