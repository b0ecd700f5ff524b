import { useNavigate } from 'react-router-dom';
import type { Toggle } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { confirmLeave } from '@/lib/leaveGuard';
import { usePrompt } from '@/lib/prompt';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { copyActions } from '@/shared/CopyMenu';
import { LinkButton } from '@/shared/LinkButton';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { ItemHeader } from '@/ui/ItemHeader';
import { ArchiveIcon, CopyIcon } from '@/ui/icons';
import { SecondaryActions } from '@/ui/SecondaryActions';
import { ArchiveDialog } from '../list/ArchiveDialog';
import { CopyToggle } from '../list/CopyToggles';
import { copiedToggle } from '../list/copiedToggle';
import { ToggleSwitch } from '../list/ToggleSwitch';
import { StatusMenu, useStatusChoices } from './StatusMenu';
import { ToggleDescription } from './ToggleDescription';
import { ToggleEnvironments } from './ToggleEnvironments';
import { ToggleMetadata } from './ToggleMetadata';
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
  const navigate = useNavigate();
  const createPermissionReason = usePermission('CREATE_FEATURE');
  const archivePermissionReason = usePermission('DELETE_FEATURE');
  const switchReason = usePermission('UPDATE_FEATURE_ENVIRONMENT');
  const cloneDisabledReason = gone?.reason ?? createPermissionReason;
  const archiveDisabledReason = gone?.reason ?? archivePermissionReason;
  const statusChoices = useStatusChoices(toggle);
  const [archiving, archiveState] = usePrompt<Toggle>();
  useLastSeen(toggle.name);
  // Only links ask about unsaved changes by themselves.
  const clone = async () => {
    if (await confirmLeave()) void navigate(paths.copyToggle(toggle.name));
  };
  const archive = () => void archiving.ask(toggle);
  const items = [
    {
      id: 'clone',
      label: 'Clone',
      icon: <CopyIcon />,
      disabledReason: cloneDisabledReason,
      onSelect: () => void clone(),
    },
    ...statusChoices.map((choice) => ({ ...choice, disabledReason: readOnlyReason })),
    ...copyActions(copiedToggle(toggle)),
    {
      id: 'archive',
      label: 'Archive',
      icon: <ArchiveIcon />,
      tone: 'danger' as const,
      disabledReason: archiveDisabledReason,
      onSelect: archive,
    },
  ];
  return (
    <>
      <ItemHeader
        breadcrumb={<Breadcrumb within={sections.toggles} here={toggle.name} />}
        name={toggle.name}
        mark={gone ? <Chip>{gone.label}</Chip> : <StatusChip isStale={toggle.stale} />}
        actions={
          <>
            <span className="sm:mr-1.5">
              <ToggleSwitch toggle={toggle} disabledReason={gone?.reason ?? switchReason} showLabel />
            </span>
            <SecondaryActions items={items}>
              <LinkButton to={paths.copyToggle(toggle.name)} icon={<CopyIcon />} disabledReason={cloneDisabledReason}>
                Clone
              </LinkButton>
              <StatusMenu toggle={toggle} readOnlyReason={readOnlyReason} />
              <CopyToggle toggle={toggle} />
              <Button variant="danger" icon={<ArchiveIcon />} disabledReason={archiveDisabledReason} onClick={archive}>
                Archive
              </Button>
            </SecondaryActions>
          </>
        }
      />
      <ToggleDescription toggle={toggle} readOnlyReason={readOnlyReason} />
      <ToggleMetadata toggle={toggle} readOnlyReason={readOnlyReason} />
      <ToggleEnvironments toggle={toggle} />
      {archiveState && (
        <ArchiveDialog
          prompt={archiving}
          toggle={archiveState.question}
          onArchived={() => void navigate(paths.toggles())}
        />
      )}
    </>
  );
}

function StatusChip({ isStale }: { isStale: boolean }) {
  return <Chip tone={isStale ? 'warn' : 'on'}>{isStale ? 'Stale' : 'Active'}</Chip>;
}
