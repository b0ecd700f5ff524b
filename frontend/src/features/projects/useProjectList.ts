// Reads and writes of projects.
import { createProject, deleteProject, projects, updateProject } from '@/api/endpoints';
import type { Project } from '@/api/generated/types';
import { patch, useRead, useWrite } from '@/api/hooks';
import { pushInfo } from '@/api/notices';

/** `isUnsupported`: the server has only the default project; its 404 is not an error. */
export function useProjectList() {
  const { data, error, reload } = useRead(projects, { handlesFailure: true });
  const isUnsupported = error?.status === 404 && data === undefined;
  return { projects: data?.projects, isUnsupported, error, reload };
}

/** All functions throw on failure: the form or dialog shows the error. */
export function useProjectWrites() {
  const { send, fetchFresh } = useWrite();
  const change = (edit: (all: Project[]) => Project[]) => [
    patch(projects, (data) => ({ ...data, projects: edit(data.projects) })),
  ];
  return {
    async create(project: Project): Promise<void> {
      await send(createProject, { body: project, refreshes: [projects], inline: true });
      pushInfo(`Project ${project.id} created.`);
    },
    /** Reads the stored project; undefined if it was deleted. */
    async find(id: string): Promise<Project | undefined> {
      return (await fetchFresh(projects, { inline: true })).projects.find((project) => project.id === id);
    },
    async replace(project: Project): Promise<void> {
      await send(updateProject(project.id), {
        body: project,
        patches: () => change((all) => all.map((one) => (one.id === project.id ? project : one))),
        refreshes: [projects],
        inline: true,
      });
      pushInfo(`Project ${project.id} updated.`);
    },
    async remove({ id }: Project): Promise<void> {
      await send(deleteProject(id), {
        patches: () => change((all) => all.filter((one) => one.id !== id)),
        refreshes: [projects],
        inline: true,
      });
      pushInfo(`Project ${id} removed.`);
    },
  };
}
