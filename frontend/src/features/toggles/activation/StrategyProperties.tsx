// Properties of strategies that cannot be edited on all servers: title, disabled, segments and variants.
import { useCapabilities } from '@/api/capabilities';
import { segments as segmentsEndpoint } from '@/api/endpoints';
import type { Strategy } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import type { NewerToggle } from '@/api/newerTypes';
import { Chip } from '@/ui/Chip';
import { Switch } from '@/ui/Switch';
import { TextField } from '@/ui/TextField';

interface PropertyFieldsProps {
  strategy: Strategy;
  /** The stored strategy; undefined for a new one. */
  base: Strategy | undefined;
  onChange: (strategy: Strategy) => void;
}

/** Fields of the title and of the enabled state. */
export function StrategyPropertyFields({ strategy, base, onChange }: PropertyFieldsProps) {
  return (
    <div className="grid items-end gap-4 sm:grid-cols-[minmax(0,1fr)_auto]">
      <TextField
        label="Title"
        placeholder="Optional"
        value={strategy.title ?? ''}
        onChange={(title) => onChange(setTitle(strategy, title, base))}
      />
      <span className="flex h-control items-center touch:h-touch">
        <Switch
          label="Strategy enabled"
          showLabel
          checked={!strategy.disabled}
          onChange={(enabled) => onChange(setDisabled(strategy, !enabled, base))}
        />
      </span>
    </div>
  );
}

/** The title and the disabled state, in the header of a card. */
export function StrategyMarks({ strategy: { title, disabled } }: { strategy: Strategy }) {
  return (
    <>
      {title && (
        <span data-tip={title} className="min-w-0 truncate">
          {title}
        </span>
      )}
      {disabled && <Chip>Disabled</Chip>}
    </>
  );
}

interface ReferencesProps {
  strategy: Strategy;
  segmentNames: NewerToggle['segmentNames'];
}

/** Segments and variants. They cannot be edited here, and every save keeps them. */
export function StrategyReferences({ strategy, segmentNames }: ReferencesProps) {
  const { title, disabled } = strategy;
  const { importsStrategyProperties } = useCapabilities();
  const ids = strategy.segments ?? [];
  const nameOf = useSegmentName(strategy, segmentNames);
  const variants = strategy.variants ?? [];
  if (ids.length + variants.length === 0 && !(importsStrategyProperties && (title || disabled))) return null;
  return (
    <div className="grid gap-2">
      <dl className="grid gap-x-6 gap-y-2 empty:hidden sm:grid-cols-[160px_minmax(0,1fr)]">
        <References term="Segments" names={ids.map(nameOf)} />
        <References
          term={variants.length === 1 ? '1 variant' : `${variants.length} variants`}
          names={variants.map(({ name }) => name)}
        />
      </dl>
      {importsStrategyProperties && <p className="text-muted text-secondary">{getImportOnlyText(strategy)}</p>}
    </div>
  );
}

/** Lists the properties that only an import or the API changes. */
function getImportOnlyText({ title, disabled, segments, variants }: Strategy): string {
  const properties = [
    ...(title ? ['title'] : []),
    ...(disabled ? ['disabled state'] : []),
    ...(segments?.length ? ['segments'] : []),
    ...(variants?.length ? ['variants of this strategy'] : []),
  ];
  const list = new Intl.ListFormat('en').format(properties);
  return `The ${list} can be changed by import only.`;
}

/** Returns a function that names segments: servers send the names with the toggle, or list them. */
export function useSegmentName({ segments }: Strategy, names: NewerToggle['segmentNames']): (id: number) => string {
  const { namesSegments } = useCapabilities();
  const listed = useRead((segments ?? []).length > 0 && !namesSegments ? segmentsEndpoint : null).data?.segments;
  return (id) => names?.[id] ?? listed?.find((one) => one.id === id)?.name ?? `${id}`;
}

function References({ term, names }: { term: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <div className="contents">
      <dt className="text-muted text-secondary max-sm:-mb-1.5">{term}</dt>
      <dd className="flex min-w-0 flex-wrap gap-1.5">
        {names.map((name) => (
          <Chip key={name}>{name}</Chip>
        ))}
      </dd>
    </div>
  );
}

// Edits of properties that only newer servers have. Returning to the stored value leaves the strategy as it was.

export function setTitle(strategy: Strategy, title: string, base: Strategy | undefined): Strategy {
  return setProperty(strategy, 'title', title, base);
}

export function setDisabled(strategy: Strategy, disabled: boolean, base: Strategy | undefined): Strategy {
  return setProperty(strategy, 'disabled', disabled, base);
}

/** Servers write a missing value as null or leave the property out. */
function setProperty(
  strategy: Strategy,
  property: 'title' | 'disabled',
  value: string | boolean,
  base: Strategy | undefined,
): Strategy {
  const { [property]: _, ...rest } = strategy;
  if (value || base?.[property]) return { ...rest, [property]: value };
  return base && property in base ? { ...rest, [property]: base[property] } : rest;
}
