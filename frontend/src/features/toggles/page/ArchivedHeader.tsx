import { useNavigate } from 'react-router-dom';
import type { Toggle } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { ReviveIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { ENABLED_TEXT, Switch } from '@/ui/Switch';
import { ARCHIVED_REASON } from './lockedReasons';
import { ToggleDescription } from './ToggleDescription';
import { ToggleMetadata } from './ToggleMetadata';
import { ToggleReadOnlyNote } from './ToggleReadOnlyNote';
import { useRevive } from './useToggle';

export function ArchivedHeader({ toggle }: { toggle: Toggle }) {
  const navigate = useNavigate();
  const reviveDisabledReason = usePermission('UPDATE_FEATURE');
  const { revive, reviving } = useRevive();

  async function press() {
    if (await revive(toggle)) void navigate(paths.toggles());
  }

  return (
    <>
      <PageHeader
        breadcrumb={<Breadcrumb here={toggle.name} within={sections.archive} />}
        title={toggle.name}
        mark={
          <span className="flex gap-2">
            <Chip>Archived</Chip>
            {toggle.stale && <Chip tone="warn">Stale</Chip>}
          </span>
        }
        actions={
          <>
            <span className="mr-1.5">
              <Switch
                label="Enabled"
                stateText={ENABLED_TEXT}
                checked={toggle.enabled}
                onChange={() => undefined}
                disabledReason={ARCHIVED_REASON}
              />
            </span>
            <Button
              variant="primary"
              busy={reviving}
              icon={<ReviveIcon />}
              disabledReason={reviveDisabledReason}
              onClick={() => void press()}
            >
              Revive
            </Button>
          </>
        }
      />
      <ToggleReadOnlyNote isArchived />
      <ToggleDescription toggle={toggle} readOnlyReason={ARCHIVED_REASON} />
      <ToggleMetadata toggle={toggle} readOnlyReason={ARCHIVED_REASON} />
      <p className="mb-3 text-muted text-secondary">
        Applications that use an archived toggle get their default value. Revive it to restore it with all its settings.
      </p>
    </>
  );
}
