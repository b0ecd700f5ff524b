import { useState } from 'react';
import type { Addon, AddonProvider } from '@/api/generated/types';
import { pushFailure, pushInfo } from '@/api/notices';
import { usePermission } from '@/api/permissions';
import { paths } from '@/paths';
import { LinkButton } from '@/shared/LinkButton';
import { ListActions } from '@/shared/ListActions';
import { RowActions } from '@/shared/RowActions';
import { TextLink } from '@/shared/TextLink';
import { buttonClass } from '@/ui/buttonClass';
import { Chip } from '@/ui/Chip';
import type { Column } from '@/ui/Column';
import { Count } from '@/ui/Count';
import { describeRemoval } from '@/ui/describeRemoval';
import { EmptyState } from '@/ui/EmptyState';
import { IconButton } from '@/ui/IconButton';
import { AddonIcon, ConfigureIcon, DisabledIcon, DocumentationIcon, EnabledIcon } from '@/ui/icons';
import { ListBody } from '@/ui/ListBody';
import { PageHeader } from '@/ui/PageHeader';
import { PlainTable } from '@/ui/PlainTable';
import { useConfirm } from '@/ui/useConfirm';
import { addonResource, useAddonSwitch, useAddons } from './addons';
import { ProviderIcon } from './ProviderIcon';
import { addonName, documentationHref } from './rules';

export function AddonListPage() {
  const { addons: addonResource, providers = [], error, reload } = useAddons();
  const removal = useAddonRemoval(providers);
  return (
    <>
      <PageHeader title="Addons" count={addonResource?.length} actions={<ListActions items={addonResource} />} />
      <section aria-labelledby="configured-addons">
        <h2 id="configured-addons" className="mb-3 font-semibold text-section">
          Configured addons
        </h2>
        <ListBody
          noun="addons"
          items={addonResource}
          error={error}
          onRetry={reload}
          empty={
            <EmptyState icon={<AddonIcon size={20} />} title="No configured addons">
              An addon notifies another service when toggles change. Configure one below.
            </EmptyState>
          }
        >
          {(items) => <AddonTable addons={items} providers={providers} onRemove={removal.ask} />}
        </ListBody>
      </section>
      {providers.length > 0 && <ProviderCards providers={providers} />}
      {removal.dialog}
    </>
  );
}

interface AddonTableProps {
  addons: readonly Addon[];
  providers: readonly AddonProvider[];
  onRemove: (addon: Addon) => void;
}

const addonColumns: readonly Column<Addon>[] = [
  {
    header: 'Provider',
    width: '33.3333%',
    cell: (addon) => <Name addon={addon} />,
  },
  {
    header: 'Description',
    className: 'text-muted',
    cell: ({ description }) => description,
  },
  {
    header: 'Events',
    width: '7rem',
    className: 'text-muted',
    cell: ({ events }) => <Count value={events.length} noun="event" />,
  },
];

function AddonTable({ addons: addonResource, providers, onRemove }: AddonTableProps) {
  const editDisabledReason = usePermission('UPDATE_ADDON');
  const removeDisabledReason = usePermission('DELETE_ADDON');
  return (
    <PlainTable
      label="Configured addons"
      columns={addonColumns}
      rows={addonResource}
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

/** Button that enables or disables an addon. The icon shows the current state. */
function EnableButton({ addon: { id, enabled }, name }: { addon: Addon; name: string }) {
  const switchAddon = useAddonSwitch();
  const disabledReason = usePermission('UPDATE_ADDON');
  const [busy, setBusy] = useState(false);
  const Sign = enabled ? EnabledIcon : DisabledIcon;

  async function press() {
    if (busy) return;
    setBusy(true);
    try {
      await switchAddon(id, !enabled, name);
    } catch (thrown) {
      pushFailure(thrown);
    } finally {
      setBusy(false);
    }
  }

  return (
    <IconButton
      label={`${enabled ? 'Disable' : 'Enable'} ${name}`}
      aria-busy={busy || undefined}
      icon={<Sign className={enabled ? 'text-on' : undefined} />}
      disabledReason={disabledReason}
      onClick={() => void press()}
    />
  );
}

function ProviderCards({ providers }: { providers: readonly AddonProvider[] }) {
  return (
    <section aria-labelledby="available-addons" className="mt-8">
      <h2 id="available-addons" className="mb-3 font-semibold text-section">
        Available addons
      </h2>
      <ul aria-labelledby="available-addons" className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {providers.map((provider) => (
          <li
            key={provider.name}
            className="flex flex-col gap-2 rounded-card border border-line bg-surface p-4 shadow-card"
          >
            <span className="flex items-center gap-2.5">
              <ProviderIcon provider={provider.name} />
              <h3 className="wrap-anywhere min-w-0 font-semibold">{provider.displayName}</h3>
            </span>
            <p className="wrap-anywhere flex-1 text-muted text-secondary">{provider.description}</p>
            <span className="mt-1 flex flex-wrap items-center gap-2.5">
              <Configure provider={provider} />
              <a
                href={documentationHref(provider)}
                target="_blank"
                rel="noopener noreferrer"
                aria-label={`Documentation of ${provider.displayName}`}
                className={buttonClass({ variant: 'ghost', size: 'small' })}
              >
                <DocumentationIcon size={14} />
                Documentation
              </a>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Configure({ provider: { name, displayName } }: { provider: AddonProvider }) {
  const disabledReason = usePermission('CREATE_ADDON');
  return (
    <LinkButton
      to={paths.createAddon(name)}
      size="small"
      icon={<ConfigureIcon size={14} />}
      disabledReason={disabledReason}
      aria-label={`Configure ${displayName}`}
    >
      Configure
    </LinkButton>
  );
}

function useAddonRemoval(providers: readonly AddonProvider[]) {
  const remove = addonResource.useRemove();
  return useConfirm<Addon>((addon) => {
    const name = addonName(addon, providers);
    return describeRemoval({
      noun: addonResource.noun,
      name,
      consequences: (
        <>
          {addon.description ? `(${addon.description}) ` : ''}no longer receives events, and its secrets are deleted. To
          pause it, disable it instead.
        </>
      ),
      action: async () => {
        await remove(addon);
        pushInfo(`${name} removed.`);
      },
    });
  });
}
