// Reads and writes of context fields.
import { context, createContextField, deleteContextField, updateContextField } from '@/api/endpoints';
import type { ContextField } from '@/api/generated/types';
import { patch, useRead, useWrite } from '@/api/hooks';
import { pushInfo } from '@/api/notices';
import { sortFields } from './rules';

export function useContextFields() {
  const { data, error, reload } = useRead(context, { handlesFailure: true });
  return { fields: data && sortFields(data), error, reload };
}

/** All functions throw on failure: the form or dialog shows the error. */
export function useContextFieldWrites() {
  const { send, fetchFresh } = useWrite();
  return {
    async create(field: ContextField): Promise<void> {
      await send(createContextField, { body: field, refreshes: [context], inline: true });
      pushInfo(`Context field ${field.name} created.`);
    },
    /** Reads the stored field; undefined if it was deleted. */
    async find(name: string): Promise<ContextField | undefined> {
      return (await fetchFresh(context, { inline: true })).find((field) => field.name === name);
    },
    async replace(field: ContextField): Promise<void> {
      await send(updateContextField(field.name), {
        body: field,
        patches: () => [patch(context, (all) => all.map((one) => (one.name === field.name ? field : one)))],
        refreshes: [context],
        inline: true,
      });
      pushInfo(`Context field ${field.name} updated.`);
    },
    async remove({ name }: ContextField): Promise<void> {
      await send(deleteContextField(name), {
        patches: () => [patch(context, (all) => all.filter((one) => one.name !== name))],
        refreshes: [context],
        inline: true,
      });
      pushInfo(`Context field ${name} removed.`);
    },
  };
}
