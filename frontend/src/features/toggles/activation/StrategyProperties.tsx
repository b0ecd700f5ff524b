// Properties of strategies that cannot be edited on all servers: title, disabled, segments and variants.
import { useState } from 'react';
import { useCapabilities } from '@/api/capabilities';
import { segments } from '@/api/endpoints';
import type { ApiError } from '@/api/error';
import type { ListedSegment, Strategy } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { type SegmentName, useSegmentName } from '@/domain/strategies/useSegmentName';
import { useRequestedFocus } from '@/lib/requestedFocus';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { Chip } from '@/ui/Chip';
import { ChipsField } from '@/ui/ChipsField';
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

/** Choice of the segments that a user must be in. */
export function SegmentsField({ strategy, base, onChange }: PropertyFieldsProps) {
  const { data, error, isLoading } = useRead(segments);
  const [unknown, setUnknown] = useState<string>();
  const ids = strategy.segments ?? [];
  const known = data?.segments ?? [];
  const nameOf = useSegmentName([strategy]);
  const element = useRequestedFocus<HTMLDivElement>('segments');

  function choose(names: readonly string[]) {
    const chosen = names.map((name) => ({ name, id: findSegment(name, ids, known, nameOf) }));
    setUnknown(chosen.find(({ id }) => id === undefined)?.name);
    onChange(
      setSegments(
        strategy,
        chosen.flatMap(({ id }) => id ?? []),
        base,
      ),
    );
  }

  // A field without anything to choose would only be in the way. While the list is loading, it would move the fields below twice.
  if (!error && known.length === 0 && ids.length === 0) return null;
  return (
    <div ref={element}>
      <ChipsField
        label="Segments"
        entries={ids.map(nameOf)}
        suggestions={known.map(({ name }) => name)}
        // Without the list, every name would be unknown.
        isReadOnly={data === undefined}
        error={unknown === undefined ? undefined : `There is no segment ${unknown}.`}
        help={<SegmentsHelp isLoading={isLoading} error={error} />}
        onChange={choose}
      />
    </div>
  );
}

interface SegmentsHelpProps {
  isLoading: boolean;
  error: ApiError | undefined;
}

function SegmentsHelp({ isLoading, error }: SegmentsHelpProps) {
  if (error) return <span className="text-warn">The segments could not be loaded. {error.message}</span>;
  if (isLoading) return 'Loading segments…';
  return (
    <>
      Users must be in all of them. {/* In a new tab, because the page has unsaved changes. */}
      <TextLink tone="accent" className="underline" to={paths.createSegment()} target="_blank" rel="noopener">
        New segment
      </TextLink>
    </>
  );
}

/** Returns the id of a segment. Those of the strategy come first: an import may write several segments with one name. */
function findSegment(
  name: string,
  ids: readonly number[],
  known: readonly ListedSegment[],
  nameOf: SegmentName,
): number | undefined {
  return ids.find((id) => nameOf(id) === name) ?? known.find((segment) => segment.name === name)?.id;
}

/** Properties without an editor, which every save keeps. */
export function StrategyReferences({ strategy }: { strategy: Strategy }) {
  const { title, disabled } = strategy;
  const { importsStrategyProperties, managesSegments } = useCapabilities();
  const nameOf = useSegmentName([strategy]);
  // Servers with segments name them in the sentence.
  const names = managesSegments ? [] : (strategy.segments ?? []).map(nameOf);
  const variants = strategy.variants ?? [];
  const isImportOnly = importsStrategyProperties && (title || disabled || names.length + variants.length > 0);
  return (
    <div className="grid gap-2 empty:hidden">
      {names.length + variants.length > 0 && (
        <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[160px_minmax(0,1fr)]">
          <References term="Segments" names={names} />
          <References
            term={variants.length === 1 ? '1 variant' : `${variants.length} variants`}
            names={variants.map(({ name }) => name)}
          />
        </dl>
      )}
      {isImportOnly && <p className="text-muted text-secondary">{getImportOnlyText(strategy, !managesSegments)}</p>}
    </div>
  );
}

/** Lists the properties that only an import or the API changes. */
function getImportOnlyText({ title, disabled, segments: ids, variants }: Strategy, hasSegments: boolean): string {
  const properties = [
    ...(title ? ['title'] : []),
    ...(disabled ? ['disabled state'] : []),
    ...(hasSegments && ids?.length ? ['segments'] : []),
    ...(variants?.length ? ['variants of this strategy'] : []),
  ];
  const list = new Intl.ListFormat('en').format(properties);
  return `The ${list} can be changed by import only.`;
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

/** Sets the segments. If none are left, the field becomes absent, or empty if the stored strategy has the field. */
export function setSegments(strategy: Strategy, ids: number[], base: Strategy | undefined): Strategy {
  const { segments: _, ...rest } = strategy;
  if (ids.length > 0) return { ...rest, segments: ids };
  const stored = base?.segments;
  return stored === undefined ? rest : { ...rest, segments: stored && [] };
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
