import type { Addon, AddonProvider } from '@/api/generated/types';
import { paths, sections } from '@/paths';
import { Form } from '@/shared/Form';
import { FormPage } from '@/shared/FormPage';
import { ResourceNotFound } from '@/shared/ResourceNotFound';
import { useRouteParams } from '@/shared/useRouteParams';
import { ItemLoader } from '@/ui/ItemLoader';
import { useAddons } from './addons';
import { AddonFields } from './components/AddonFields';
import { LatestDeliveries } from './components/LatestDeliveries';
import { addonName, findProvider } from './rules';
import { useAddonEdit } from './useAddonForm';

export function AddonEditPage() {
  const { id = '' } = useRouteParams();
  const { addons, providers = [], error, reload } = useAddons();
  const addon = addons?.find((one) => String(one.id) === id);
  const name = addon ? addonName(addon, providers) : `addon ${id}`;
  return (
    <FormPage title={`Edit ${name}`} here={name} within={sections.addons}>
      <ItemLoader
        key={id}
        noun="addon"
        items={addons}
        matches={(one) => String(one.id) === id}
        error={error}
        onRetry={reload}
        notFound={<ResourceNotFound title="Could not find the addon" within={sections.addons} />}
      >
        {(found) => <AddonForm addon={found} name={name} provider={findProvider(found, providers)} />}
      </ItemLoader>
    </FormPage>
  );
}

function AddonForm({ addon, name, provider }: { addon: Addon; name: string; provider: AddonProvider }) {
  const form = useAddonEdit(addon, provider, name);
  return (
    <>
      <Form form={form} submitLabel="Save" permission="UPDATE_ADDON" cancel={paths.addons()}>
        <AddonFields provider={provider} input={form.input} errors={form.errors} onChange={form.setInput} />
      </Form>
      <LatestDeliveries addon={addon} />
    </>
  );
}
