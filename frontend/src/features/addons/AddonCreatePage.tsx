import type { AddonProvider } from '@/api/generated/types';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Form } from '@/shared/Form';
import { ResourceNotFound } from '@/shared/ResourceNotFound';
import { useRouteParams } from '@/shared/useRouteParams';
import { Found } from '@/ui/Found';
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
      <Found
        key={name}
        noun="provider"
        items={providers}
        is={(provider) => provider.name === name}
        error={error}
        onRetry={reload}
        missing={<ResourceNotFound title="This server has no such provider" within={sections.addons} />}
      >
        {(provider) => <Editor provider={provider} />}
      </Found>
    </>
  );
}

function Editor({ provider }: { provider: AddonProvider }) {
  const form = useAddonCreate(provider);
  return (
    <Form form={form} submitLabel="Create" permission="CREATE_ADDON" cancel={paths.addons()}>
      <AddonFields provider={provider} isNew input={form.input} errors={form.errors} onChange={form.setInput} />
    </Form>
  );
}
