import { Link } from 'react-router-dom';
import type { Addon, AddonProvider } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { formatCount } from '@/lib/formatCount';
import { useLocale } from '@/lib/locale';
import { paths } from '@/paths';
import { RowActions } from '@/shared/RowActions';
import { Chip } from '@/ui/Chip';
import { ColumnHeader } from '@/ui/ColumnHeader';
import { ActionColumn, PlainCell, PlainRow, PlainTable } from '@/ui/PlainTable';
import { addonName } from '../rules';
import { EnableButton } from './EnableButton';
import { ProviderIcon } from './ProviderIcon';

interface Props {
  addons: readonly Addon[];
  providers: readonly AddonProvider[];
  onRemove: (addon: Addon) => void;
}

export function AddonTable({ addons, providers, onRemove }: Props) {
  const locale = useLocale();
  const editDisabledReason = usePermission('UPDATE_ADDON');
  const removeDisabledReason = usePermission('DELETE_ADDON');
  return (
    <PlainTable
      label="Configured addons"
      columns={
        <>
          <ColumnHeader className="w-1/3">Provider</ColumnHeader>
          <ColumnHeader>Description</ColumnHeader>
          <ColumnHeader className="w-28">Events</ColumnHeader>
          <ActionColumn className="w-34" />
        </>
      }
      rows={addons}
    >
      {(addon) => {
        const name = addonName(addon, providers);
        return (
          <PlainRow
            key={addon.id}
            heading={<Name addon={addon} name={name} />}
            actionCount={3}
            actions={
              <>
                <EnableButton addon={addon} name={name} />
                <RowActions
                  name={name}
                  edit={{ to: paths.editAddon(addon.id), disabledReason: editDisabledReason }}
                  removeDisabledReason={removeDisabledReason}
                  onRemove={() => onRemove(addon)}
                />
              </>
            }
          >
            <PlainCell className="text-muted">{addon.description}</PlainCell>
            <PlainCell className="text-muted">{formatCount(addon.events.length, 'event', locale)}</PlainCell>
          </PlainRow>
        );
      }}
    </PlainTable>
  );
}

function Name({ addon, name }: { addon: Addon; name: string }) {
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <ProviderIcon provider={addon.provider} />
      <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
        <Link to={paths.editAddon(addon.id)} className="min-w-0 hover:text-accent hover:underline">
          {name}
        </Link>
        {!addon.enabled && <Chip>Disabled</Chip>}
      </span>
    </span>
  );
}
