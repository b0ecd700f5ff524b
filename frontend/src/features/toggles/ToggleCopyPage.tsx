import { currentCapabilities, useCapabilities } from '@/api/capabilities';
import { copyFeature } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { paths, sections } from '@/paths';
import { FormPage } from '@/shared/FormPage';
import { useOpenPage } from '@/shared/navigation';
import { useRouteParams } from '@/shared/useRouteParams';
import { ToggleForm } from './form/ToggleForm';
import { copyToggleInput, toCopyBody } from './form/toggleInput';
import { useToggleForm } from './form/useToggleForm';
import { ToggleLoader } from './page/ToggleLoader';
import { ToggleNotFound } from './page/ToggleNotFound';
import { useToggle } from './page/useToggle';
import { useToggleWrites } from './saving/useToggleWrites';
import { UnsupportedServerPage } from './unsupported/UnsupportedServerPanel';

export function ToggleCopyPage() {
  const { name = '' } = useRouteParams();
  const result = useToggle(name);
  const title = `Copy ${name}`;
  const notFound =
    result.state === 'unsupported' ? (
      <UnsupportedServerPage title={title} error={result.error} />
    ) : (
      <ToggleNotFound name={name} title="Toggle not found" isArchived={result.state === 'archived'} />
    );
  return (
    <ToggleLoader name={name} result={result} notFound={notFound}>
      {(source) => (
        <FormPage title={title} within={sections.toggles}>
          <CopyForm source={source} />
        </FormPage>
      )}
    </ToggleLoader>
  );
}

function CopyForm({ source }: { source: Toggle }) {
  const { copiesEnvironments } = useCapabilities();
  const open = useOpenPage();
  const { create } = useToggleWrites();
  const form = useToggleForm({
    start: copyToggleInput(source),
    source,
    create: (input, original = source) => {
      const call = currentCapabilities().copiesEnvironments
        ? copyFeature(original.name, input.replaceGroupId)
        : undefined;
      return create(toCopyBody(input, original), call);
    },
    onCreated: (name) => void open(paths.toggle(name)),
  });
  return (
    <>
      <p className="mb-4 max-w-180 text-muted">
        The copy also gets the variants of <b className="wrap-anywhere text-text">{source.name}</b>
        {copiesEnvironments &&
          ', and its tags and other environments, switched off there, if you change nothing but the name and its groups'}
        .
      </p>
      <ToggleForm
        form={form}
        submitLabel="Copy feature toggle"
        alternativeLabel="Copy switched off"
        cancel={paths.toggle(source.name)}
      />
    </>
  );
}
