// Input of the project form, its validation, and its conversion to the server's format.
import { validateProject } from '@/api/endpoints';
import type { Project } from '@/api/generated/types';
import type { EntityForm } from '@/shared/entity';

/** Exists on every server. Toggles without a project belong to it. */
export const DEFAULT_PROJECT = 'default';

export interface ProjectInput {
  id: string;
  name: string;
  description: string;
}

export const projectForm: EntityForm<Project, ProjectInput> = {
  toInput: (project) => ({
    id: project?.id ?? '',
    name: project?.name ?? '',
    description: project?.description ?? '',
  }),
  toItem: ({ id, name, description }) => ({ id, name: name.trim(), description: description.trim() }),
  validate: ({ id, name }) => ({
    id: id === '' ? 'Enter an id.' : undefined,
    name: name.trim() === '' ? 'Enter a name.' : undefined,
  }),
  checkId: (check) => check('id', validateProject),
  conflictField: 'id',
};

export const projectLabels = { name: 'the name', description: 'the description' };
