import type { ReactNode } from 'react';
import type { PermissionName } from '@/api/generated/types';
import { usePermissions } from '@/api/permissions';
import type { Resource } from '@/api/resource';
import type { Column } from '@/ui/Column';
import { describeRemoval } from '@/ui/describeRemoval';
import { PageHeader } from '@/ui/PageHeader';
import { PlainTable } from '@/ui/PlainTable';
import { useConfirm } from '@/ui/useConfirm';
import { Breadcrumb } from './Breadcrumb';
import { CreateLink } from './CreateLink';
import { ListActions } from './ListActions';
import { RowActions } from './RowActions';
import { SearchableList } from './SearchableList';
import { useListSearch } from './useListSearch';

interface Props<Item> {
  resource: Resource<Item>;
  /** Also the name of the table. */
  title: string;
  /** Parent section of a list that is not in the menu. */
  within?: { label: string; path: string };
  /** A constant. */
  columns: readonly Column<Item>[];
  /** Name of an item in the labels of its buttons. */
  nameOf: (item: Item) => string;
  create: { to: string; permission: PermissionName };
  edit?: { to: (item: Item) => string; permission: PermissionName };
  remove: {
    permission: PermissionName;
    /** Reason why users with the permission cannot remove an item. */
    disabledReason?: (item: Item) => string | undefined;
    describe: (item: Item) => RemovalDescription;
  };
  /** Shown beside the title. */
  mark?: ReactNode;
  /** Links to related lists. */
  related?: readonly { label: string; to: string }[];
  /** `EmptyState` that explains the next step. */
  empty: ReactNode;
  /** Shown instead of the list if the server lacks it. */
  unsupported?: ReactNode;
  /** Shown above the list. */
  children?: ReactNode;
}

/** Page with the items of a resource: search, table, copy menu, and the buttons that create, edit and remove. */
export function EntityListPage<Item>(props: Props<Item>) {
  const { resource, title, within, columns, nameOf, create, edit, remove, mark, related, empty, unsupported } = props;
  const breadcrumb = within && <Breadcrumb within={within} />;
  const { items, isUnsupported, error, reload } = resource.useList();
  const search = useListSearch(items, columns);
  const removal = useRemoval(resource, remove.describe);
  const disabledReason = usePermissions();
  const editDisabledReason = edit && disabledReason(edit.permission);
  const removeDisabledReason = disabledReason(remove.permission);
  if (isUnsupported) {
    return (
      <>
        <PageHeader title={title} mark={mark} breadcrumb={breadcrumb} hidesBreadcrumbOnPhones />
        {unsupported}
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={title}
        count={items?.length}
        mark={mark}
        breadcrumb={breadcrumb}
        hidesBreadcrumbOnPhones
        actions={
          <ListActions items={search.shown} related={related}>
            <CreateLink {...create} noun={resource.noun} />
          </ListActions>
        }
      />
      {props.children}
      <SearchableList
        nouns={[resource.noun, `${resource.noun}s`]}
        search={search}
        error={error}
        onRetry={reload}
        empty={empty}
      >
        {(shown) => (
          <PlainTable
            label={title}
            columns={columns}
            rows={shown}
            rowKey={resource.id}
            actions={(item) => (
              <RowActions
                name={nameOf(item)}
                {...(edit && { edit: { to: edit.to(item), disabledReason: editDisabledReason } })}
                removeDisabledReason={removeDisabledReason ?? remove.disabledReason?.(item)}
                onRemove={() => void removal.ask(item)}
              />
            )}
          />
        )}
      </SearchableList>
      {removal.dialog}
    </>
  );
}

interface RemovalDescription {
  name: string;
  /** The rest of a sentence that starts with the name. */
  consequences: ReactNode;
}

/** Asks for confirmation before an item of a resource is removed. */
function useRemoval<Item>(resource: Resource<Item>, describe: (item: Item) => RemovalDescription) {
  const remove = resource.useRemove();
  return useConfirm<Item>((item) =>
    describeRemoval({ noun: resource.noun, ...describe(item), action: () => remove(item) }),
  );
}
