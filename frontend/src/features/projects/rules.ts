// Input of the project form, its validation, and its conversion to the server's format.
import type { Project } from '@/api/generated/types';

/** Exists on every server. Toggles without a project belong to it. */
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
    id: id === '' ? 'Enter an id.' : undefined,
    name: name.trim() === '' ? 'Enter a name.' : undefined,
  };
}
