import { sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { useRouteParams } from '@/shared/useRouteParams';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { PageHeader } from '@/ui/PageHeader';
import { Progress } from '@/ui/Progress';
import { CopyForm } from './components/CopyForm';
import { ToggleMissing } from './components/ToggleMissing';
import { UnfitPage } from './components/UnfitPage';
import { useToggle } from './useToggle';

export function ToggleCopyPage() {
  const { name = '' } = useRouteParams();
  const found = useToggle(name);
  switch (found.state) {
    case 'loading':
      return <Progress label="Loading the toggle" />;
    case 'failed':
      return <ErrorPanel title="The toggle could not be loaded" error={found.error} onRetry={found.reload} />;
    case 'unfit':
      return <UnfitPage title={`Copy ${name}`} error={found.error} />;
    case 'live':
      return (
        <>
          <PageHeader
            title={`Copy ${name}`}
            breadcrumb={<Breadcrumb within={sections.toggles} here={`Copy ${name}`} />}
          />
          <CopyForm source={found.toggle} />
        </>
      );
    default:
      return <ToggleMissing name={name} title="Toggle not found" />;
  }
}
