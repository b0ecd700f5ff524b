import { Plus, SearchX } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useDisabledReason } from '@/api/permissions';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { buttonClass } from '@/ui/buttonClass';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { PageHeader } from '@/ui/PageHeader';

interface Props {
  name: string;
  title?: string;
}

export function ToggleMissing({ name, title = 'Could not find the toggle' }: Props) {
  const mayCreate = useDisabledReason('CREATE_FEATURE') === undefined;
  return (
    <>
      <PageHeader title={name} breadcrumb={<Breadcrumb within={sections.toggles} here={name} />} />
      <Card>
        <EmptyState
          icon={<SearchX size={20} strokeWidth={1.75} aria-hidden="true" />}
          title={title}
          actions={
            <>
              {mayCreate && (
                <Link to={paths.createToggle(name)} className={buttonClass({ variant: 'primary' })}>
                  <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
                  Create {name}
                </Link>
              )}
              <Link to={paths.toggles()} className={buttonClass()}>
                All toggles
              </Link>
            </>
          }
        >
          No toggle is called <b className="wrap-anywhere text-text">{name}</b>, neither here nor in the archive.
        </EmptyState>
      </Card>
    </>
  );
}
