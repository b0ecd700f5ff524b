// What can be done to strategy definitions, and what each deed changes in the list that is already read.
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
import { type CachePatch, patch, useWrite } from '@/api/hooks';
import { offerUndo, pushInfo } from '@/api/notices';
import { useDisabledReason } from '@/api/permissions';

/** All of them throw: the form or dialog that asked for it shows why. */
export function useStrategyWrites() {
  const { send } = useWrite();
  const mayCreate = useDisabledReason('CREATE_STRATEGY') === undefined;
  return useMemo(() => {
    const add = (definition: StrategyDefinition, draft: StrategyDefinitionDraft, inline: boolean) =>
      send(createStrategy, { body: draft, inline, patches: () => [put(definition)] });
    const mark = (definition: StrategyDefinition, deprecated: boolean, inline: boolean) =>
      send(deprecated ? deprecateStrategy(definition.name) : reactivateStrategy(definition.name), {
        inline,
        patches: () => [put({ ...definition, deprecated })],
      });
    const restore = async (definition: StrategyDefinition) => {
      const { name, description, parameters, deprecated } = definition;
      await add({ ...definition, deprecated: false }, { name, description, parameters }, false);
      if (deprecated) await mark(definition, true, false);
    };
    return {
      async create(draft: StrategyDefinitionDraft): Promise<void> {
        // Servers answer nothing, and may list it only a moment later.
        await add({ ...draft, editable: true, deprecated: false }, draft, true);
        pushInfo(`${draft.name} created.`);
      },
      async update(definition: StrategyDefinition): Promise<void> {
        await send(updateStrategy(definition.name), {
          body: definition,
          inline: true,
          patches: () => [put(definition)],
        });
        pushInfo(`${definition.name} updated.`);
      },
      async setDeprecated(definition: StrategyDefinition, deprecated: boolean): Promise<void> {
        await mark(definition, deprecated, true);
        offerUndo(`${definition.name} ${deprecated ? 'deprecated' : 'reactivated'}.`, () =>
          mark(definition, !deprecated, false),
        );
      },
      async remove(definition: StrategyDefinition): Promise<void> {
        const { name } = definition;
        await send(deleteStrategy(name), { inline: true, patches: () => [without(name)], refreshes: [strategies] });
        if (mayCreate) offerUndo(`${name} deleted.`, () => restore(definition));
        else pushInfo(`${name} deleted.`);
      },
    };
  }, [send, mayCreate]);
}

function put(definition: StrategyDefinition): CachePatch {
  return patch(strategies, (answer) => {
    const others = answer.strategies.filter(({ name }) => name !== definition.name);
    const sorted = [...others, definition].sort((one, other) => (one.name < other.name ? -1 : 1));
    return { ...answer, strategies: sorted };
  });
}

function without(name: string): CachePatch {
  return patch(strategies, (answer) => ({
    ...answer,
    strategies: answer.strategies.filter((one) => one.name !== name),
  }));
}
