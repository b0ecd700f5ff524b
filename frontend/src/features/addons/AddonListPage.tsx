import { Plug } from 'lucide-react';
import { addons as call } from '@/api/endpoints';
import { formatYesNo } from '@/lib/copyFormats';
import { paths } from '@/paths';
import { CopyList } from '@/shared/CopyList';
import { toAbsoluteUrl } from '@/shared/CopyMenu';
import { EmptyState } from '@/ui/EmptyState';
import { ListBody } from '@/ui/ListBody';
import { PageHeader } from '@/ui/PageHeader';
import { useAddons } from './addons';
import { AddonTable } from './components/AddonTable';
import { ProviderCards } from './components/ProviderCards';
import { useAddonRemoval } from './components/useAddonRemoval';

export function AddonListPage() {
  const { addons, providers = [], error, reload } = useAddons();
  const removal = useAddonRemoval(providers);
  return (
    <>
      <PageHeader
        title="Addons"
        count={addons?.length}
        actions={
          <CopyList
            items={addons}
            call={call}
            columns={[
              {
                header: 'Addon',
                text: ({ provider, id }) => `${provider} ${id}`,
                href: ({ id }) => toAbsoluteUrl(paths.editAddon(id)),
              },
              { header: 'Description', text: ({ description }) => description },
              { header: 'Enabled', text: ({ enabled }) => formatYesNo(enabled) },
              { header: 'Events', text: ({ events }) => events.join(', ') },
            ]}
          />
        }
      />
      <section aria-labelledby="configured-addons">
        <h2 id="configured-addons" className="mb-3 font-semibold text-section">
          Configured addons
        </h2>
        <ListBody
          noun="addons"
          items={addons}
          error={error}
          onRetry={reload}
          empty={
            <EmptyState icon={<Plug size={20} strokeWidth={1.75} aria-hidden="true" />} title="No configured addons">
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
