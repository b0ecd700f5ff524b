// Reads and writes of projects.
import { createProject, deleteProject, projects as list, project, updateProject } from '@/api/endpoints';
import { editableResource } from '@/api/resource';

export const projects = editableResource({
  noun: 'project',
  list,
  items: (data) => data.projects,
  withItems: (data, items) => ({ ...data, projects: items }),
  id: ({ id }) => id,
  one: (id) => project(String(id)),
  create: createProject,
  update: ({ id }) => updateProject(id),
  remove: ({ id }) => deleteProject(id),
  nameInNotices: ({ id }) => id,
});
