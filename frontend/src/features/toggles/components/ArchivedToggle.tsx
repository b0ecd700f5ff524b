import { Undo2 } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import type { Toggle } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Chip } from '@/ui/Chip';
import { PageHeader } from '@/ui/PageHeader';
import { needs } from '../permissions';
import { useRevive } from '../useToggle';
import { Breadcrumb } from './Breadcrumb';

export function ArchivedToggle({ toggle }: { toggle: Toggle }) {
  const navigate = useNavigate();
  const mayUpdate = usePermission('UPDATE_FEATURE');
  const { revive, reviving } = useRevive();

  async function press() {
    if (await revive(toggle)) void navigate(paths.toggles());
  }

  return (
    <>
      <PageHeader
        breadcrumb={<Breadcrumb here={toggle.name} />}
        title={toggle.name}
        mark={<Chip>Archived</Chip>}
        actions={
          <Button
            variant="primary"
            busy={reviving}
            icon={<Undo2 size={16} strokeWidth={1.75} aria-hidden="true" />}
            disabledReason={mayUpdate ? undefined : needs('UPDATE_FEATURE')}
            onClick={() => void press()}
          >
            Revive
          </Button>
        }
      />
      <Card>
        {toggle.description && <p className="mb-2 wrap-anywhere">{toggle.description}</p>}
        <p className="text-muted">
          This toggle is archived: applications that ask for it get their own fallback. Revive it to use it again, with
          all its settings.
        </p>
      </Card>
    </>
  );
}
