import type { AddonProvider } from '@/api/generated/types';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Form } from '@/shared/Form';
import { ResourceNotFound } from '@/shared/ResourceNotFound';
import { useRouteParams } from '@/shared/useRouteParams';
import { ItemLoader } from '@/ui/ItemLoader';
import { PageHeader } from '@/ui/PageHeader';
import { AddonFields } from './components/AddonFields';
import { useAddonCreate } from './useAddonForm';
import { useAddons } from './useAddons';

export function AddonCreatePage() {
  const { provider: name = '' } = useRouteParams();
  const { providers, error, reload } = useAddons();
  const title = providers?.find((provider) => provider.name === name)?.displayName ?? name;
  return (
    <>
      <PageHeader
        title={`Configure ${title}`}
        breadcrumb={<Breadcrumb within={sections.addons} here={`Configure ${title}`} />}
      />
      <ItemLoader
        key={name}
        noun="provider"
        items={providers}
        matches={(provider) => provider.name === name}
        error={error}
        onRetry={reload}
        notFound={<ResourceNotFound title="Provider not found" within={sections.addons} />}
      >
        {(provider) => <AddonForm provider={provider} />}
      </ItemLoader>
    </>
  );
}

function AddonForm({ provider }: { provider: AddonProvider }) {
  const form = useAddonCreate(provider);
  return (
    <Form form={form} submitLabel="Create" permission="CREATE_ADDON" cancel={paths.addons()}>
      <AddonFields provider={provider} isNew input={form.input} errors={form.errors} onChange={form.setInput} />
    </Form>
  );
}
