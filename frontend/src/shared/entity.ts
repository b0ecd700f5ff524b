// An entity: a resource with the forms that create and edit its items.
import type { ComponentType } from 'react';
import type { PermissionName } from '@/api/generated/types';
import type { EditableResource, Resource } from '@/api/resource';
import type { FieldErrors, FormCheck, FormFields } from './useForm';

export interface Entity<Item, Input extends object> {
  resource: Resource<Item>;
  /** The list page. */
  section: { label: string; path: string };
  createPermission: PermissionName;
  form: EntityForm<Item, Input>;
  Fields: ComponentType<FieldsProps<Input>>;
}

export interface EditableEntity<Item, Input extends object> extends Entity<Item, Input> {
  resource: EditableResource<Item>;
  updatePermission: PermissionName;
  /** Names of the fields in conflicting edits. */
  labels: { [field: string]: string };
  /** Fills in fields that servers omit, so that they do not count as edited. */
  complete?: (item: Item) => Item;
}

export interface EntityForm<Item, Input> {
  /** Returns the input for an existing item, or the initial input for a new one. */
  toInput: (item?: Item) => Input;
  toItem: (input: Input) => Item;
  validate: (input: Input) => FieldErrors<Input>;
  /** Validates the id of a new item on the server, when its field loses focus. */
  checkId?: (check: FormCheck<Input>) => Promise<void>;
  /** The field at which the form shows that the id of a new item is taken. Default: below all fields. */
  conflictField?: keyof Input & string;
}

export interface FieldsProps<Input> extends FormFields<Input> {
  /** The item exists, so its id cannot be changed. */
  isExisting: boolean;
  /** For the `onBlur` of the id of a new item. */
  onCheckId?: (() => void) | undefined;
}
