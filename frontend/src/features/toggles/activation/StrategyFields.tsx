import { type ComponentProps, type KeyboardEvent, memo } from 'react';
import { useCapabilities } from '@/api/capabilities';
import type { ContextField, ParameterDefinition, Strategy, StrategyDefinition } from '@/api/generated/types';
import { hasConstraints } from '@/domain/strategies/audience';
import { getShareParameter } from '@/domain/strategies/builtInStrategies';
import { ConstraintsEditor } from '@/domain/strategies/ConstraintsEditor';
import { setConstraints } from '@/domain/strategies/constraints';
import { isInOptions } from '@/lib/isInOptions';
import { Button } from '@/ui/Button';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { useUsage } from '../page/useToggle';
import { getStickinessOptions } from '../saving/rules';
import { ParameterField } from './ParameterField';
import { StrategyName } from './StrategyName';
import { SegmentRows, StrategyPropertyFields, StrategyReferences } from './StrategyProperties';
import { type EditedStrategy, isDirty } from './strategyDrafts';
import { DETAILS, type Parts } from './useOpenParts';

function parameterOf({ parameters = {} }: Strategy, name: string): string {
  return parameters[name] ?? '';
}

interface Props {
  draft: EditedStrategy;
  toggleName: string;
  /** Undefined while loading and after a failure. */
  definitions: readonly StrategyDefinition[] | undefined;
  isLoading: boolean;
  context: readonly ContextField[] | undefined;
  onChange: (key: number, strategy: Strategy) => void;
  definition: StrategyDefinition | undefined;
  parts: Parts;
  /** The strategy belongs to a new toggle, which no application uses. */
  isInForm: boolean;
}

/** The fields of an open strategy. Escape closes them. Memoised: typing in one strategy does not render the others. */
export const StrategyFields = memo(function StrategyFields(props: Props) {
  const { draft, toggleName, definitions, isLoading, definition, context, parts, isInForm } = props;
  const Constraints = isInForm ? ConstraintsEditor : ConstraintsOfToggle;
  const { now, base } = draft;
  const onChange = (strategy: Strategy) => props.onChange(draft.key, strategy);
  const { editsStrategyTitles: hasTitle } = useCapabilities();
  const known = definition?.parameters ?? [];
  const others = Object.entries(now.parameters ?? {}).filter(([name]) => !known.some((one) => one.name === name));
  const hasShare = getShareParameter(now.name) !== undefined;
  const details = hasShare ? known.filter(({ name }) => DETAILS.includes(name)) : [];
  const main = known.filter((parameter) => !details.includes(parameter));
  const field = (parameter: ParameterDefinition) => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      isInSentence={hasShare}
      value={parameterOf(now, parameter.name)}
      saved={base?.name === now.name ? parameterOf(base, parameter.name) : undefined}
      stickiness={getStickinessOptions(context ?? [])}
      onChange={(value) => onChange({ ...now, parameters: { ...now.parameters, [parameter.name]: value } })}
    />
  );
  function closeByEscape(event: KeyboardEvent<HTMLElement>) {
    if (event.key !== 'Escape' || event.defaultPrevented || isInOptions(event)) return;
    parts.close();
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape in any of its fields closes it.
    <div
      onKeyDown={closeByEscape}
      className="col-start-2 col-end-4 grid min-w-0 gap-3.5 pt-2.5 pb-1 max-sm:col-start-1 max-sm:pr-1"
    >
      {isLoading && <p className="text-muted">Loading definition...</p>}
      {!definitions && !isLoading && (
        <p className="text-secondary text-warn">
          The strategy definition could not be loaded, so its parameters cannot be edited.
        </p>
      )}
      {now.name === 'default' && known.length === 0 && (
        <p className="text-muted text-secondary">
          {hasConstraints(now) ? 'On if the constraints match' : 'On for everyone'} while the toggle is enabled. It has
          no parameters.
        </p>
      )}
      {main.length > 0 && <div className="grid gap-4 sm:grid-cols-2">{main.map(field)}</div>}
      {(now.constraints ?? []).length > 0 && (
        <Constraints
          toggleName={toggleName}
          constraints={now.constraints ?? []}
          fields={context}
          opening={{ isOpen: parts.isConstraintOpen, onOpenChange: parts.setConstraintOpen }}
          onChange={(constraints) => onChange(setConstraints(now, constraints, base))}
          onRemove={(index) => parts.removeConstraint(index)}
        />
      )}
      {parts.hasSegments && (now.segments ?? []).length > 0 && (
        <SegmentRows strategy={now} onRemove={parts.removeSegment} />
      )}
      {hasTitle && <StrategyPropertyFields strategy={now} base={base} onChange={onChange} />}
      {!isLoading && others.length > 0 && <RawParameters parameters={others} />}
      <StrategyReferences strategy={now} />
      <div className="wrap-anywhere text-muted text-secondary leading-6 [&>h3]:inline [&>h3]:whitespace-normal">
        <StrategyName name={now.name} definition={definition} opensNewTab={isDirty(draft)} />
        {details.map(({ name }) => (
          // The dot stays at the end of its line.
          <span key={name}>
            {'\u00a0· '}
            {name === 'stickiness' ? 'sticky on' : 'group'}{' '}
            <b className="font-semibold text-text">{parameterOf(now, name) || 'not set'}</b>
          </span>
        ))}
        {details.length > 0 && (
          <Button
            variant="ghost"
            size="small"
            aria-expanded={parts.hasDetails}
            className="ml-1 h-6! px-1.5! text-accent! touch:h-touch!"
            onClick={() => parts.setDetails(!parts.hasDetails)}
          >
            {parts.hasDetails ? 'Hide' : 'Change'}
            <VisuallyHidden> stickiness and group</VisuallyHidden>
          </Button>
        )}
      </div>
      {parts.hasDetails && details.length > 0 && <div className="grid gap-4 sm:grid-cols-2">{details.map(field)}</div>}
    </div>
  );
});

interface ToggleConstraintsProps extends ComponentProps<typeof ConstraintsEditor> {
  toggleName: string;
}

/** The constraints, with warnings about the applications that use the toggle. */
function ConstraintsOfToggle({ toggleName, ...props }: ToggleConstraintsProps) {
  const { apps } = useUsage(toggleName);
  return <ConstraintsEditor {...props} apps={apps?.map(({ appName }) => appName)} />;
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
