// A project as people type it, and as servers take it.
import type { Project } from '@/api/generated/types';

/** It is always there, and toggles without another belong to it. */
export const DEFAULT_PROJECT = 'default';

export interface ProjectInput {
  id: string;
  name: string;
  description: string;
}

export function projectInput(project?: Project): ProjectInput {
  return { id: project?.id ?? '', name: project?.name ?? '', description: project?.description ?? '' };
}

export function toProject({ id, name, description }: ProjectInput): Project {
  return { id, name: name.trim(), description: description.trim() };
}

export function projectErrors({ id, name }: ProjectInput) {
  return {
    id: id === '' ? 'Give the project an id.' : undefined,
    name: name.trim() === '' ? 'Give the project a name.' : undefined,
  };
}
