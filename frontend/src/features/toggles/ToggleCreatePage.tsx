import { useLocation } from 'react-router-dom';
import { currentCapabilities } from '@/api/capabilities';
import { useUnsupportedServer } from '@/api/unsupportedServer';
import { getNewToggleProject } from '@/domain/toggles/toggleListSettings';
import { paths, sections } from '@/paths';
import { FormPage } from '@/shared/FormPage';
import { useOpenPage } from '@/shared/navigation';
import { nameFromUrl } from '@/shared/useRouteParams';
import { ToggleForm } from './form/ToggleForm';
import { createToggleInput, toToggleBody } from './form/toggleInput';
import { useToggleForm } from './form/useToggleForm';
import { showUseLine } from './page/UseInCode';
import { useToggleWrites } from './saving/useToggleWrites';
import { UnsupportedServerPage } from './unsupported/UnsupportedServerPanel';

export function ToggleCreatePage() {
  const location = useLocation();
  const open = useOpenPage();
  const { create } = useToggleWrites();
  const project = new URLSearchParams(location.search).get('project') ?? getNewToggleProject();
  const form = useToggleForm({
    start: createToggleInput(nameFromUrl(location), project),
    create: (input) => create(toToggleBody(input, currentCapabilities().needsStrategy)),
    onCreated: (name) => {
      showUseLine(name);
      void open(paths.toggle(name));
    },
  });
  const unsupported = useUnsupportedServer();
  if (unsupported) return <UnsupportedServerPage title="New toggle" error={unsupported} />;
  return (
    <FormPage title="New toggle" within={sections.toggles}>
      <ToggleForm form={form} submitLabel="Create" alternativeLabel="Create switched off" cancel={paths.toggles()} />
    </FormPage>
  );
}
