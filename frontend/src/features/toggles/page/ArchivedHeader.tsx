import type { Toggle } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { useClockItems } from '@/domain/past/clockPrompt';
import { useRevive } from '@/domain/toggles/useRevive';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { ActionsMenu } from '@/shared/CopyMenu';
import { useOpenNextPage } from '@/shared/useOpenNextPage';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { ItemHeader } from '@/ui/ItemHeader';
import { ReviveIcon } from '@/ui/icons';
import { ENABLED_TEXT, Switch } from '@/ui/Switch';
import { ARCHIVED_REASON } from './lockedReasons';
import { ToggleDescription } from './ToggleDescription';
import { ToggleMetadata } from './ToggleMetadata';

export function ArchivedHeader({ toggle }: { toggle: Toggle }) {
  const openNext = useOpenNextPage();
  const reviveDisabledReason = usePermission('UPDATE_FEATURE');
  const { revive, reviving, dialog } = useRevive();

  async function press() {
    if (await revive(toggle)) void openNext(paths.toggles());
  }

  return (
    <>
      <ItemHeader
        breadcrumb={<Breadcrumb within={sections.archive} />}
        name={toggle.name}
        mark={
          <span className="flex gap-2">
            <Chip>Archived</Chip>
            {toggle.stale && <Chip tone="warn">Stale</Chip>}
          </span>
        }
        actions={
          <>
            <span className="sm:mr-1.5">
              <Switch
                label="Enabled"
                stateText={ENABLED_TEXT}
                isNarrowOnPhones
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
            <ActionsMenu subject={toggle.name} items={useClockItems()} />
          </>
        }
      />
      <ToggleDescription toggle={toggle} readOnlyReason={ARCHIVED_REASON} />
      <ToggleMetadata toggle={toggle} readOnlyReason={ARCHIVED_REASON} />
      {dialog}
    </>
  );
}
