import { sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { useRouteParams } from '@/shared/useRouteParams';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PageHeader } from '@/ui/PageHeader';
import { Progress } from '@/ui/Progress';
import { CopyForm } from './form/CopyForm';
import { ToggleNotFound } from './page/ToggleNotFound';
import { useToggle } from './page/useToggle';
import { UnsupportedServerPage } from './unsupported/UnsupportedServerPage';

export function ToggleCopyPage() {
  const { name = '' } = useRouteParams();
  const result = useToggle(name);
  switch (result.state) {
    case 'loading':
      return <Progress label="Loading the toggle" />;
    case 'failed':
      return <ErrorPanel title="The toggle could not be loaded" error={result.error} onRetry={result.reload} />;
    case 'unsupported':
      return <UnsupportedServerPage title={`Copy ${name}`} error={result.error} />;
    case 'live':
      return (
        <>
          <PageHeader
            title={`Copy ${name}`}
            breadcrumb={<Breadcrumb within={sections.toggles} here={`Copy ${name}`} />}
          />
          <CopyForm source={result.toggle} />
        </>
      );
    case 'archived':
      return <ToggleNotFound name={name} title="Toggle not found" isArchived />;
    default:
      return <ToggleNotFound name={name} title="Toggle not found" />;
  }
}
