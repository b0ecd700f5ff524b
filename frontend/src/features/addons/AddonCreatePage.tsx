import type { AddonProvider } from '@/api/generated/types';
import { needs, usePermission } from '@/api/permissions';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Form } from '@/shared/Form';
import { useAddressParams } from '@/shared/useAddressParams';
import { Found } from '@/ui/Found';
import { PageHeader } from '@/ui/PageHeader';
import { AddonFields } from './components/AddonFields';
import { MissingAddon } from './components/MissingAddon';
import { useAddonCreate } from './useAddonForm';
import { useAddons } from './useAddons';

export function AddonCreatePage() {
  const { provider: name = '' } = useAddressParams();
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
        missing={<MissingAddon title="This server has no such provider" />}
      >
        {(provider) => <Editor provider={provider} />}
      </Found>
    </>
  );
}

function Editor({ provider }: { provider: AddonProvider }) {
  const form = useAddonCreate(provider);
  const mayCreate = usePermission('CREATE_ADDON');
  return (
    <Form
      form={form}
      submitLabel="Create"
      disabledReason={mayCreate ? undefined : needs('CREATE_ADDON')}
      cancel={paths.addons()}
    >
      <AddonFields provider={provider} isNew input={form.input} errors={form.errors} onChange={form.setInput} />
    </Form>
  );
}
