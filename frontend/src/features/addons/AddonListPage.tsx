import { addons as call } from '@/api/endpoints';
import { ListActions } from '@/shared/ListActions';
import { EmptyState } from '@/ui/EmptyState';
import { AddonIcon } from '@/ui/icons';
import { ListBody } from '@/ui/ListBody';
import { PageHeader } from '@/ui/PageHeader';
import { useAddons } from './addons';
import { AddonTable, addonColumns } from './components/AddonTable';
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
        actions={<ListActions items={addons} call={call} columns={addonColumns} />}
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
