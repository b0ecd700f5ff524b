import { Archive, Copy } from 'lucide-react';
import { Link, useNavigate } from 'react-router-dom';
import type { Toggle } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { usePrompt } from '@/lib/prompt';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Button } from '@/ui/Button';
import { buttonClass } from '@/ui/buttonClass';
import { Chip } from '@/ui/Chip';
import { PageHeader } from '@/ui/PageHeader';
import { useLastSeen } from '../useToggle';
import { ArchiveDialog } from './ArchiveDialog';
import { CopyToggle } from './CopyToggles';
import { StatusMenu } from './StatusMenu';
import { ToggleDescription } from './ToggleDescription';
import { ToggleMetadata } from './ToggleMetadata';
import { ToggleSwitch } from './ToggleSwitch';

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
            <CloneLink name={toggle.name} disabledReason={gone?.reason ?? createDisabledReason} />
            <StatusMenu toggle={toggle} readOnlyReason={readOnlyReason} />
            <CopyToggle toggle={toggle} />
            <Button
              variant="danger"
              icon={<Archive size={16} strokeWidth={1.75} aria-hidden="true" />}
              disabledReason={gone?.reason ?? archiveDisabledReason}
              onClick={() => void archiving.ask(toggle)}
            >
              Archive
            </Button>
          </>
        }
      />
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

/** Link to the copy page; a disabled button with the reason for users who cannot create toggles. */
function CloneLink({ name, disabledReason }: { name: string; disabledReason: string | undefined }) {
  const icon = <Copy size={16} strokeWidth={1.75} aria-hidden="true" />;
  if (disabledReason !== undefined) {
    return (
      <Button icon={icon} disabledReason={disabledReason}>
        Clone
      </Button>
    );
  }
  return (
    <Link to={paths.copyToggle(name)} className={buttonClass()}>
      {icon}
      Clone
    </Link>
  );
}
