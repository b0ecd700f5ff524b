import { useNavigate } from 'react-router-dom';
import type { Toggle } from '@/api/generated/types';
import { useDisabledReason } from '@/api/permissions';
import { useDialogSubject } from '@/lib/useDialogSubject';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { LinkButton } from '@/shared/LinkButton';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { ArchiveIcon, CopyIcon } from '@/ui/icons';
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
  const createDisabledReason = useDisabledReason('CREATE_FEATURE');
  const archiveDisabledReason = useDisabledReason('DELETE_FEATURE');
  const { subject, open, ask, close } = useDialogSubject<Toggle>();
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
              onClick={() => ask(toggle)}
            >
              Archive
            </Button>
          </>
        }
      />
      <ToggleDescription toggle={toggle} readOnlyReason={readOnlyReason} />
      <ToggleMetadata toggle={toggle} readOnlyReason={readOnlyReason} />
      <ArchiveDialog toggle={subject} open={open} onClose={close} onArchived={() => void navigate(paths.toggles())} />
    </>
  );
}

function StatusChip({ isStale }: { isStale: boolean }) {
  return <Chip tone={isStale ? 'warn' : 'on'}>{isStale ? 'Stale' : 'Active'}</Chip>;
}
