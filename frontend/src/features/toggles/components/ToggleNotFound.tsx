import { Plus, SearchX } from 'lucide-react';
import { Link } from 'react-router-dom';
import { usePermission } from '@/api/permissions';
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

export function ToggleNotFound({ name, title = 'Could not find the toggle' }: Props) {
  const canCreate = usePermission('CREATE_FEATURE') === undefined;
  return (
    <>
      <PageHeader title={name} breadcrumb={<Breadcrumb within={sections.toggles} here={name} />} />
      <Card>
        <EmptyState
          icon={<SearchX size={20} strokeWidth={1.75} aria-hidden="true" />}
          title={title}
          actions={
            <>
              {canCreate && (
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
          No active or archived toggle is named <b className="wrap-anywhere text-text">{name}</b>.
        </EmptyState>
      </Card>
    </>
  );
}
