import { Link } from 'react-router-dom';
import { useDisabledReason } from '@/api/permissions';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { buttonClass } from '@/ui/buttonClass';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { AddIcon, NotFoundIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';

interface Props {
  name: string;
  title?: string;
}

export function ToggleNotFound({ name, title = 'Could not find the toggle' }: Props) {
  const canCreate = useDisabledReason('CREATE_FEATURE') === undefined;
  return (
    <>
      <PageHeader title={name} breadcrumb={<Breadcrumb within={sections.toggles} here={name} />} />
      <Card>
        <EmptyState
          icon={<NotFoundIcon size={20} />}
          title={title}
          actions={
            <>
              {canCreate && (
                <Link to={paths.createToggle(name)} className={buttonClass({ variant: 'primary' })}>
                  <AddIcon />
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
