// Converts tag types between form input and request body.
import type { TagType } from '@/api/generated/types';

export interface TagTypeInput {
  name: string;
  description: string;
  icon: string;
}

export function toTagTypeInput(type?: TagType): TagTypeInput {
  return { name: type?.name ?? '', description: type?.description ?? '', icon: type?.icon ?? '' };
}

export function toTagType({ name, description, icon }: TagTypeInput): TagType {
  return { name, description: description.trim(), icon: icon.trim() };
}
