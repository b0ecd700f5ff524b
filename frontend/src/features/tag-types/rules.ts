// Input of the tag type form, its validation, and its conversion to the server's format.
import { validateTagType } from '@/api/endpoints';
import type { TagType } from '@/api/generated/types';
import type { EntityForm } from '@/shared/entity';

export interface TagTypeInput {
  name: string;
  description: string;
  icon: string;
}

export const tagTypeForm: EntityForm<TagType, TagTypeInput> = {
  toInput: (type) => ({ name: type?.name ?? '', description: type?.description ?? '', icon: type?.icon ?? '' }),
  toItem: ({ name, description, icon }) => ({ name, description: description.trim(), icon: icon.trim() }),
  validate: ({ name }) => ({ name: name === '' ? 'Enter a name.' : undefined }),
  checkId: (check) => check('name', validateTagType),
};

export const tagTypeLabels = { description: 'the description', icon: 'the icon' };
