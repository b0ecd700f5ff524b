// Forms that create and edit the items of an entity.

import { ItemLoader } from '@/ui/ItemLoader';
import type { EditableEntity, Entity } from './entity';
import { Form } from './Form';
import { useOpenPage } from './navigation';
import { ResourceNotFound } from './ResourceNotFound';
import { useForm } from './useForm';
import { useMergedSave } from './useMergedSave';

interface CreateFormProps<Item, Input extends object> {
  entity: Entity<Item, Input>;
}

/** Form for a new item. Returns to the list after the save. */
export function CreateForm<Item, Input extends object>({ entity }: CreateFormProps<Item, Input>) {
  const { resource, section, createPermission, Fields } = entity;
  const { toInput, toItem, validate, checkId, conflictField } = entity.form;
  const open = useOpenPage();
  const create = resource.useCreate();
  const form = useForm({
    start: toInput(),
    rules: validate,
    save: (input) => create(toItem(input)),
    onSaved: () => void open(section.path),
    ...(conflictField && { idField: conflictField }),
  });
  return (
    <Form form={form} isNew submitLabel="Create" permission={createPermission} cancel={section.path}>
      <Fields {...form.fields} isExisting={false} onCheckId={checkId && (() => void checkId(form.check))} />
    </Form>
  );
}

interface EditFormProps<Item extends object, Input extends object> {
  entity: EditableEntity<Item, Input>;
  /** The id of the item in the URL. */
  id: string;
}

/** Loads an item and edits it. Returns to the list after the save. */
export function EditForm<Item extends object, Input extends object>({ entity, id }: EditFormProps<Item, Input>) {
  const { resource, section } = entity;
  const { items, error, reload } = resource.useList();
  return (
    <ItemLoader
      noun={resource.noun}
      id={id}
      item={items?.find((item) => String(resource.id(item)) === id)}
      isLoaded={items !== undefined}
      error={error}
      reload={reload}
      notFound={<ResourceNotFound title={`Could not find the ${resource.noun}`} within={section} />}
    >
      {(item) => <ItemForm entity={entity} item={item} />}
    </ItemLoader>
  );
}

interface ItemFormProps<Item extends object, Input extends object> {
  entity: EditableEntity<Item, Input>;
  item: Item;
}

function ItemForm<Item extends object, Input extends object>({ entity, item }: ItemFormProps<Item, Input>) {
  const {
    resource,
    section,
    createPermission,
    updatePermission,
    labels,
    complete = (item: Item) => item,
    Fields,
  } = entity;
  const { toInput, toItem, validate } = entity.form;
  const open = useOpenPage();
  const { find, replace } = resource.useReplace();
  const create = resource.useCreate();
  const id = String(resource.id(item));
  const { save, conflict } = useMergedSave({
    noun: resource.noun,
    id,
    rules: { labelOf: (field) => labels[field] },
    find: async () => {
      const stored = await find(resource.id(item));
      return stored && { ...stored, item: complete(stored.item) };
    },
    replace: (merged, { tag }) => replace(merged, tag),
    createPermission,
  });
  const form = useForm({
    start: toInput(item),
    base: complete(item),
    rules: validate,
    save: (input, opened) => {
      const edited = toItem(input);
      return save(opened, { ...opened, ...edited }, () => create(edited));
    },
    onSaved: () => void open(section.path),
  });
  return (
    <>
      <Form form={form} submitLabel="Save" permission={updatePermission} cancel={section.path}>
        <Fields {...form.fields} isExisting />
      </Form>
      {conflict}
    </>
  );
}
