import { Archive, ChevronDown, CircleCheck, Clock } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import type { Toggle } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { useSubject } from '@/lib/useSubject';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { Menu } from '@/ui/Menu';
import { PageHeader } from '@/ui/PageHeader';
import { needs } from '../permissions';
import { useToggleWrites } from '../useToggleWrites';
import { ArchiveDialog } from './ArchiveDialog';
import { Breadcrumb } from './Breadcrumb';
import { ToggleFacts } from './ToggleFacts';
import { ToggleSwitch } from './ToggleSwitch';

export function ToggleHeader({ toggle }: { toggle: Toggle }) {
  const navigate = useNavigate();
  const mayDelete = usePermission('DELETE_FEATURE');
  const { subject, open, ask, close } = useSubject<Toggle>();
  return (
    <>
      <PageHeader
        breadcrumb={<Breadcrumb here={toggle.name} />}
        title={toggle.name}
        mark={<Chip tone={toggle.stale ? 'warn' : 'on'}>{toggle.stale ? 'Stale' : 'Active'}</Chip>}
        actions={
          <>
            <span className="mr-1.5">
              <ToggleSwitch toggle={toggle} showLabel />
            </span>
            <StatusMenu toggle={toggle} />
            <Button
              variant="danger"
              icon={<Archive size={16} strokeWidth={1.75} aria-hidden="true" />}
              disabledReason={mayDelete ? undefined : needs('DELETE_FEATURE')}
              onClick={() => ask(toggle)}
            >
              Archive
            </Button>
          </>
        }
      />
      {toggle.description && <p className="-mt-2 mb-3 wrap-anywhere text-muted">{toggle.description}</p>}
      <ToggleFacts toggle={toggle} />
      <ArchiveDialog toggle={subject} open={open} onClose={close} onArchived={() => void navigate(paths.toggles())} />
    </>
  );
}

function StatusMenu({ toggle }: { toggle: Toggle }) {
  const mayUpdate = usePermission('UPDATE_FEATURE');
  const { setStale } = useToggleWrites();
  const choice = (stale: boolean, label: string, Icon: typeof Clock) => ({
    id: String(stale),
    label,
    icon: <Icon size={16} strokeWidth={1.75} aria-hidden="true" />,
    checked: toggle.stale === stale,
    onSelect: () => {
      if (toggle.stale !== stale) void setStale(toggle, stale);
    },
  });
  return (
    <Menu
      label="Status"
      trigger={{ text: <StatusText /> }}
      items={[choice(false, 'Set toggle Active', CircleCheck), choice(true, 'Mark toggle as Stale', Clock)]}
      disabledReason={mayUpdate ? undefined : needs('UPDATE_FEATURE')}
    />
  );
}

function StatusText() {
  return (
    <>
      Status
      <ChevronDown size={16} strokeWidth={1.75} aria-hidden="true" className="-mr-1" />
    </>
  );
}
