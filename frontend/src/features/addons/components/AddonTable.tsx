import type { Addon, AddonProvider } from '@/api/generated/types';
import { usePermission } from '@/api/permissions';
import { formatYesNo } from '@/lib/format';
import { paths } from '@/paths';
import { RowActions } from '@/shared/RowActions';
import { TextLink } from '@/shared/TextLink';
import { Chip } from '@/ui/Chip';
import type { Column } from '@/ui/Column';
import { Count } from '@/ui/Count';
import { PlainTable } from '@/ui/PlainTable';
import { useAddons } from '../addons';
import { addonName } from '../rules';
import { EnableButton } from './EnableButton';
import { ProviderIcon } from './ProviderIcon';

interface Props {
  addons: readonly Addon[];
  providers: readonly AddonProvider[];
  onRemove: (addon: Addon) => void;
}

export const addonColumns: readonly Column<Addon>[] = [
  {
    header: 'Provider',
    width: '33.3333%',
    cell: (addon) => <Name addon={addon} />,
    copy: ({ provider, id }) => `${provider} ${id}`,
    copyHeader: 'Addon',
    href: ({ id }) => paths.editAddon(id),
  },
  {
    header: 'Description',
    className: 'text-muted',
    cell: ({ description }) => description,
    copy: ({ description }) => description,
  },
  { header: 'Enabled', copy: ({ enabled }) => formatYesNo(enabled) },
  {
    header: 'Events',
    width: '7rem',
    className: 'text-muted',
    cell: ({ events }) => <Count value={events.length} noun="event" />,
    copy: ({ events }) => events.join(', '),
  },
];

export function AddonTable({ addons, providers, onRemove }: Props) {
  const editDisabledReason = usePermission('UPDATE_ADDON');
  const removeDisabledReason = usePermission('DELETE_ADDON');
  return (
    <PlainTable
      label="Configured addons"
      columns={addonColumns}
      rows={addons}
      rowKey={({ id }) => id}
      actions={(addon) => {
        const name = addonName(addon, providers);
        return (
          <>
            <EnableButton addon={addon} name={name} />
            <RowActions
              name={name}
              edit={{ to: paths.editAddon(addon.id), disabledReason: editDisabledReason }}
              removeDisabledReason={removeDisabledReason}
              onRemove={() => onRemove(addon)}
            />
          </>
        );
      }}
      actionsWidth="8.5rem"
    />
  );
}

function Name({ addon }: { addon: Addon }) {
  const { providers = [] } = useAddons();
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <ProviderIcon provider={addon.provider} />
      <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
        <TextLink to={paths.editAddon(addon.id)} className="min-w-0">
          {addonName(addon, providers)}
        </TextLink>
        {!addon.enabled && <Chip>Disabled</Chip>}
      </span>
    </span>
  );
}
