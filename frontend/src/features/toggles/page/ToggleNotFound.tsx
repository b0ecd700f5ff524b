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
  /** An archived toggle has the name, which therefore cannot be used for another. */
  isArchived?: boolean;
}

export function ToggleNotFound({ name, title = 'Could not find the toggle', isArchived = false }: Props) {
  const canCreate = usePermission('CREATE_FEATURE') === undefined;
  return (
    <>
      <PageHeader title={name} breadcrumb={<Breadcrumb within={sections.toggles} />} />
      <Card>
        <EmptyState
          icon={<NotFoundIcon size={20} />}
          title={title}
          actions={
            <>
              {isArchived && <LinkButton to={paths.archivedToggle(name)}>Open in the archive</LinkButton>}
              {canCreate && !isArchived && (
                <LinkButton to={paths.createToggle(name)} variant="primary" icon={<AddIcon />}>
                  Create {name}
                </LinkButton>
              )}
              <LinkButton to={paths.toggles()}>All toggles</LinkButton>
            </>
          }
        >
          {isArchived ? (
            <>
              <b className="wrap-anywhere text-text">{name}</b> is in the archive. Revive it to copy it.
            </>
          ) : (
            <>
              No active or archived toggle is named <b className="wrap-anywhere text-text">{name}</b>.
            </>
          )}
        </EmptyState>
      </Card>
    </>
  );
}
