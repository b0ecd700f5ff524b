// Reads and writes of projects.
import { createProject, deleteProject, project, projects, updateProject, validateProject } from '@/api/endpoints';
import type { Project } from '@/api/generated/types';
import { editableResource } from '@/api/resource';
import type { EntityForm } from '@/shared/entity';

export const projectResource = editableResource({
  noun: 'project',
  list: projects,
  items: (data) => data.projects,
  withItems: (data, items) => ({ ...data, projects: items }),
  id: ({ id }) => id,
  one: (id) => project(String(id)),
  create: createProject,
  update: ({ id }) => updateProject(id),
  remove: ({ id }) => deleteProject(id),
  nameInNotices: ({ id }) => id,
});

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

export const projectLabels = { name: 'Name', description: 'Description' };
