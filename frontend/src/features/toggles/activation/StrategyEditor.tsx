import type { ReactNode } from 'react';
import type { ContextField, Strategy, StrategyDefinition } from '@/api/generated/types';
import { describeStrategy } from '@/domain/strategies/describeStrategy';
import { cx } from '@/lib/cx';
import { Button } from '@/ui/Button';
import { Chip } from '@/ui/Chip';
import { IconButton } from '@/ui/IconButton';
import { RemoveIcon } from '@/ui/icons';
import { getStickinessOptions, validateStrategy } from '../saving/rules';
import { ConstraintsEditor } from './ConstraintsEditor';
import { setConstraints } from './constraints';
import { ParameterField } from './ParameterField';
import { RemovedStrategy } from './RemovedStrategy';
import { StrategyName } from './StrategyName';
import { StrategyNotFound } from './StrategyNotFound';
import { isDirty, type StrategyEdit } from './strategyDrafts';
import { strategyIcon } from './strategyIcons';

interface Props {
  draft: StrategyEdit;
  /** Label of the strategy, unique within the toggle. */
  label: string;
  /** Undefined while loading and after a failure. */
  definitions: readonly StrategyDefinition[] | undefined;
  isLoading: boolean;
  context: readonly ContextField[] | undefined;
  /** Controls that move the strategy. */
  order: ReactNode;
  saving: boolean;
  /** Reason why it can neither be saved nor removed. */
  blockedReason: string | undefined;
  onChange: (strategy: Strategy) => void;
  onSave: () => void;
  onDiscard: () => void;
  onRemove: () => void;
}

/** One activation strategy, saved on its own. */
export function StrategyEditor(props: Props) {
  const { draft, label, definitions, order, saving, blockedReason, onSave, onDiscard, onRemove } = props;
  const definition = definitions?.find(({ name }) => name === draft.now.name);
  const dirty = isDirty(draft);
  const Icon = strategyIcon(draft.now.name);
  if (draft.removed) return <RemovedStrategy name={draft.now.name} onKeep={onDiscard} />;
  return (
    <fieldset
      aria-label={label}
      className={cx(
        'min-w-0 rounded-card border bg-surface shadow-card',
        dirty ? 'border-dirty ring-1 ring-dirty' : 'border-line',
      )}
    >
      <header
        className={cx(
          'flex min-h-13 flex-wrap items-center gap-x-2.5 gap-y-1 rounded-t-card py-2 pr-2 pl-3',
          dirty && 'bg-dirty-soft',
        )}
      >
        {order}
        <Icon size={17} className="shrink-0" />
        <StrategyName name={draft.now.name} definition={definition} opensNewTab={dirty} />
        {definition?.deprecated && <Chip tone="warn">Deprecated</Chip>}
        <p className="min-w-0 flex-1 truncate text-muted text-secondary max-sm:order-last max-sm:basis-full">
          {describeStrategy(draft.now) || definition?.description}
        </p>
        <span className="ml-auto flex items-center gap-1.5">
          {dirty && (
            <>
              <span className="px-1 font-semibold text-dirty text-label">Unsaved</span>
              <Button variant="ghost" size="small" aria-label={`Discard ${label}`} onClick={onDiscard}>
                Discard
              </Button>
              <Button
                variant="unsaved"
                size="small"
                aria-label={`Save ${label}`}
                busy={saving}
                disabledReason={blockedReason ?? validateStrategy(draft.now, definitions ?? [])}
                onClick={onSave}
              >
                Save
              </Button>
            </>
          )}
          <IconButton
            label={`Remove ${label}`}
            icon={<RemoveIcon />}
            disabledReason={blockedReason}
            onClick={onRemove}
          />
        </span>
      </header>
      <Body {...props} definition={definition} />
    </fieldset>
  );
}

function parameterOf({ parameters = {} }: Strategy, name: string): string {
  return parameters[name] ?? '';
}

interface BodyProps extends Props {
  definition: StrategyDefinition | undefined;
}

function Body({ draft, definitions, isLoading, definition, context, saving, onChange }: BodyProps) {
  const { now, at, base } = draft;
  const known = definition?.parameters ?? [];
  const others = Object.entries(now.parameters ?? {}).filter(([name]) => !known.some((one) => one.name === name));
  return (
    // Inert while saving: typed changes would be overwritten by the saved version.
    <div inert={saving} className="grid gap-4 border-line border-t px-4 py-4">
      {at === undefined && base !== undefined && (
        <p className="text-secondary text-warn">
          This strategy was removed while you were editing. Saving adds it again.
        </p>
      )}
      {base && base.name !== now.name && (
        <p className="text-muted text-secondary">Replaces {base.name} when you save.</p>
      )}
      {isLoading && <p className="text-muted">Loading definition...</p>}
      {!definitions && !isLoading && (
        <p className="text-secondary text-warn">
          The strategy definition could not be loaded, so its parameters cannot be edited.
        </p>
      )}
      {definitions && !definition && <StrategyNotFound name={now.name} />}
      {now.name === 'default' && known.length === 0 && (
        <p className="text-muted">On for everyone while the toggle is enabled. It has no parameters.</p>
      )}
      {known.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-2">
          {known.map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              value={parameterOf(now, parameter.name)}
              stickiness={getStickinessOptions(context ?? [])}
              onChange={(value) => onChange({ ...now, parameters: { ...now.parameters, [parameter.name]: value } })}
            />
          ))}
        </div>
      )}
      {!isLoading && others.length > 0 && <RawParameters parameters={others} />}
      <ConstraintsEditor
        constraints={now.constraints ?? []}
        fields={context}
        onChange={(constraints) => onChange(setConstraints(now, constraints, base))}
      />
    </div>
  );
}

/** Parameters without a definition, which are read-only and kept unchanged. */
function RawParameters({ parameters }: { parameters: readonly [string, unknown][] }) {
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[160px_minmax(0,1fr)]">
      {parameters.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="wrap-anywhere text-muted text-secondary max-sm:-mb-1.5">{name}</dt>
          <dd className="wrap-anywhere min-w-0 font-mono text-secondary">
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </dd>
        </div>
      ))}
    </dl>
  );
}
