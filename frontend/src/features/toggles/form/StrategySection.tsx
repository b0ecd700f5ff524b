import { useRef } from 'react';
import { useCapabilities } from '@/api/capabilities';
import { inEnvironment } from '@/api/environment';
import { NAME_LENGTH } from '@/api/generated/limits';
import { AddStrategyMenu } from '../activation/AddStrategyMenu';
import { StrategyList } from '../activation/StrategyList';
import type { EditedStrategy } from '../activation/strategyDrafts';
import { useOpenRules } from '../activation/useOpenRules';
import { useStrategyEdits } from '../activation/useStrategyEdits';
import { canAddStrategy } from './toggleInput';
import { useFormStrategies } from './useFormStrategies';
import type { ToggleForm } from './useToggleForm';

/** The strategies of a form, with the actions and warnings of the activation tab. */
export function useStrategySection({ input, source, definitions, context, updateStrategies }: ToggleForm) {
  const model = useFormStrategies(input.strategies, updateStrategies);
  const copied = source?.strategies.length ?? 0;
  const isAdded = ({ key }: EditedStrategy) => key >= copied;
  const rules = useOpenRules(isAdded);
  const toggle = { enabled: input.enabled, variants: source?.variants ?? [] };
  const edits = useStrategyEdits({ toggle, model, definitions, context, isAdded, openRule: rules.setOpen });
  return { model, rules, edits };
}

interface Props {
  form: ToggleForm;
  section: ReturnType<typeof useStrategySection>;
}

/** The activation strategies of a new toggle, with the editor of the activation tab. */
export function StrategySection({ form, section: { model, rules, edits } }: Props) {
  const { input, definitions, context, known } = form;
  const list = useRef<HTMLOListElement>(null);
  const nameReason = canAddStrategy(input)
    ? undefined
    : `Enter a toggle name of at least ${NAME_LENGTH.min} characters first.`;
  return (
    <section aria-labelledby="strategies-heading" className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-baseline gap-x-2.5">
        <h2 id="strategies-heading" className="font-semibold">
          Activation strategies
        </h2>
        <p className="text-muted">On if any strategy matches</p>
      </div>
      {model.drafts.length === 0 ? (
        <WithoutStrategies enabled={input.enabled} isCopy={form.source !== undefined} />
      ) : (
        <StrategyList
          list={list}
          model={model}
          toggleName={input.name}
          definitions={definitions}
          isLoading={known.isLoading}
          context={context}
          blockedReason={undefined}
          isOpen={rules.isOpen}
          onOpenChange={rules.setOpen}
        />
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <AddStrategyMenu
          {...edits.choices}
          definitions={definitions ?? []}
          context={context}
          toggleName={input.name}
          failure={known.error}
          onRetry={known.reload}
          disabledReason={nameReason ?? (known.isLoading ? 'Strategies are still loading.' : undefined)}
        />
        {nameReason !== undefined && <p className="text-muted text-secondary">Enter a name first.</p>}
      </div>
    </section>
  );
}

/** Effect of creating the toggle without strategies. */
function WithoutStrategies({ enabled, isCopy }: { enabled: boolean; isCopy: boolean }) {
  const { needsStrategy } = useCapabilities();
  if (isCopy && needsStrategy) return <p className={NOTE}>A copy needs at least one strategy.</p>;
  return (
    <p className={NOTE}>
      {needsStrategy ? (
        <>
          <span className="font-semibold text-text">default</span> is used if you add no strategy: the toggle is on for
          everyone while it is enabled.
        </>
      ) : (
        <>
          <span className="font-semibold text-text">
            Without a strategy, the toggle is {enabled ? 'on' : 'off'} for everyone{inEnvironment()}.
          </span>{' '}
          {enabled ? 'The server adds' : 'Switching it on adds'} a rollout to 100&nbsp;% of users.
        </>
      )}
    </p>
  );
}

const NOTE = 'rounded-card border border-line-strong border-dashed px-4 py-3 text-muted text-secondary';
