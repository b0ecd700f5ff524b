import { usePermission } from '@/api/permissions';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { LinkButton } from '@/shared/LinkButton';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { AddIcon, NotFoundIcon } from '@/ui/icons';
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
          icon={<NotFoundIcon size={20} />}
          title={title}
          actions={
            <>
              {canCreate && (
                <LinkButton to={paths.createToggle(name)} variant="primary" icon={<AddIcon />}>
                  Create {name}
                </LinkButton>
              )}
              <LinkButton to={paths.toggles()}>All toggles</LinkButton>
            </>
          }
        >
          No active or archived toggle is named <b className="wrap-anywhere text-text">{name}</b>.
        </EmptyState>
      </Card>
    </>
  );
}
