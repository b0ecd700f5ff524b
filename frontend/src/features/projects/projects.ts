// Reads and writes of projects.
import { createProject, deleteProject, projects as list, updateProject } from '@/api/endpoints';
import { editableResource } from '@/api/resource';

export const projects = editableResource({
  noun: 'project',
  list,
  items: (data) => data.projects,
  withItems: (data, items) => ({ ...data, projects: items }),
  id: ({ id }) => id,
  create: createProject,
  update: ({ id }) => updateProject(id),
  remove: ({ id }) => deleteProject(id),
  nameInNotices: ({ id }) => id,
});
