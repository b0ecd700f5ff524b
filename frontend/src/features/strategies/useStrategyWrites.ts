// Writes of strategy definitions. Each write also updates the cached list.
import { useMemo } from 'react';
import {
  createStrategy,
  deleteStrategy,
  deprecateStrategy,
  reactivateStrategy,
  type StrategyDefinitionDraft,
  strategies,
  updateStrategy,
} from '@/api/endpoints';
import type { StrategyDefinition } from '@/api/generated/types';
import { type CachePatch, patch } from '@/api/useRead';
import { useWrite } from '@/api/useWrite';
import { offerUndo, pushInfo } from '@/api/notices';
import { usePermission } from '@/api/permissions';

/** All functions throw on failure: the form or dialog shows the error. */
export function useStrategyWrites() {
  const { send, fetchFresh } = useWrite();
  const canCreate = usePermission('CREATE_STRATEGY') === undefined;
  return useMemo(() => {
    const add = (definition: StrategyDefinition, draft: StrategyDefinitionDraft, inline: boolean) =>
      send(createStrategy, { body: draft, inline, patches: () => [putInList(definition)] });
    const mark = (definition: StrategyDefinition, deprecated: boolean, inline: boolean) =>
      send(deprecated ? deprecateStrategy(definition.name) : reactivateStrategy(definition.name), {
        inline,
        patches: () => [putInList({ ...definition, deprecated })],
      });
    /** Undoes that a definition was deprecated or reactivated, unless another user has changed that since. */
    const undoMark = async (name: string, deprecated: boolean) => {
      const stored = (await fetchFresh(strategies)).strategies.find((one) => one.name === name);
      const words = deprecated ? 'reactivated' : 'deprecated';
      if (stored?.deprecated !== deprecated)
        throw new Error(`Nothing to undo: ${name} was ${stored ? words : 'deleted'} in the meantime.`);
      await mark(stored, !deprecated, false);
    };
    const restore = async (definition: StrategyDefinition) => {
      const { name, description, parameters, deprecated } = definition;
      await add({ ...definition, deprecated: false }, { name, description, parameters }, false);
      if (deprecated) await mark(definition, true, false);
    };
    return {
      async create(draft: StrategyDefinitionDraft): Promise<void> {
        // The response has no body, and the server may list the definition with a delay.
        await add({ ...draft, editable: true, deprecated: false }, draft, true);
        pushInfo(`${draft.name} created.`);
      },
      /** Replaces a definition. Fails with 412 if there is a tag and the stored definition has another one. */
      async update(definition: StrategyDefinition, tag: string | undefined): Promise<void> {
        await send(updateStrategy(definition.name), {
          body: definition,
          inline: true,
          ifMatch: tag,
          patches: () => [putInList(definition)],
        });
        pushInfo(`${definition.name} updated.`);
      },
      async setDeprecated(definition: StrategyDefinition, deprecated: boolean): Promise<void> {
        await mark(definition, deprecated, true);
        offerUndo(`${definition.name} ${deprecated ? 'deprecated' : 'reactivated'}.`, () =>
          undoMark(definition.name, deprecated),
        );
      },
      async remove(definition: StrategyDefinition): Promise<void> {
        const { name } = definition;
        await send(deleteStrategy(name), { inline: true, patches: () => [without(name)], refreshes: [strategies] });
        if (canCreate) offerUndo(`${name} deleted.`, () => restore(definition));
        else pushInfo(`${name} deleted.`);
      },
    };
  }, [send, fetchFresh, canCreate]);
}

function putInList(definition: StrategyDefinition): CachePatch {
  return patch(strategies, (data) => {
    const others = data.strategies.filter(({ name }) => name !== definition.name);
    // In the order of the server.
    const sorted = [...others, definition].sort((one, other) => (one.name < other.name ? -1 : 1));
    return { ...data, strategies: sorted };
  });
}

function without(name: string): CachePatch {
  return patch(strategies, (data) => ({
    ...data,
    strategies: data.strategies.filter((one) => one.name !== name),
  }));
}
