import { useNavigate } from 'react-router-dom';
import type { Toggle } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { usePrompt } from '@/lib/prompt';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { LinkButton } from '@/shared/LinkButton';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { ArchiveIcon, CopyIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { ArchiveDialog } from '../list/ArchiveDialog';
import { CopyToggle } from '../list/CopyToggles';
import { ToggleSwitch } from '../list/ToggleSwitch';
import { StatusMenu } from './StatusMenu';
import { ToggleDescription } from './ToggleDescription';
import { ToggleMetadata } from './ToggleMetadata';
import { ToggleReadOnlyNote } from './ToggleReadOnlyNote';
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
  const createDisabledReason = usePermission('CREATE_FEATURE');
  const archiveDisabledReason = usePermission('DELETE_FEATURE');
  const [archiving, archiveState] = usePrompt<Toggle>();
  useLastSeen(toggle.name);
  return (
    <>
      <PageHeader
        breadcrumb={<Breadcrumb within={sections.toggles} here={toggle.name} />}
        title={toggle.name}
        mark={gone ? <Chip>{gone.label}</Chip> : <StatusChip isStale={toggle.stale} />}
        actions={
          <>
            <span className="mr-1.5">
              <ToggleSwitch toggle={toggle} disabledReason={readOnlyReason} showLabel />
            </span>
            <LinkButton
              to={paths.copyToggle(toggle.name)}
              icon={<CopyIcon />}
              disabledReason={gone?.reason ?? createDisabledReason}
            >
              Clone
            </LinkButton>
            <StatusMenu toggle={toggle} readOnlyReason={readOnlyReason} />
            <CopyToggle toggle={toggle} />
            <Button
              variant="danger"
              icon={<ArchiveIcon />}
              disabledReason={gone?.reason ?? archiveDisabledReason}
              onClick={() => void archiving.ask(toggle)}
            >
              Archive
            </Button>
          </>
        }
      />
      {!gone && <ToggleReadOnlyNote />}
      <ToggleDescription toggle={toggle} readOnlyReason={readOnlyReason} />
      <ToggleMetadata toggle={toggle} readOnlyReason={readOnlyReason} />
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
