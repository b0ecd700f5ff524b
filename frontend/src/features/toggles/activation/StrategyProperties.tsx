// Properties of strategies that cannot be edited on all servers: title, disabled, segments and variants.
import { useCapabilities } from '@/api/capabilities';
import type { Strategy } from '@/api/generated/types';
import { useSegmentName } from '@/domain/strategies/useSegmentName';
import { useRequestedFocus } from '@/lib/requestedFocus';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { Chip } from '@/ui/Chip';
import { IconButton } from '@/ui/IconButton';
import { RemoveIcon } from '@/ui/icons';
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

interface SegmentRowsProps {
  strategy: Strategy;
  onRemove: (id: number) => void;
}

/** The segments that a user must be in, which the word of the sentence opens. */
export function SegmentRows({ strategy, onRemove }: SegmentRowsProps) {
  const nameOf = useSegmentName([strategy]);
  const element = useRequestedFocus<HTMLUListElement>('segments');
  return (
    <ul ref={element} aria-label="Segments" className="grid gap-2">
      {(strategy.segments ?? []).map((id) => (
        <li
          key={id}
          className="flex min-w-0 items-center justify-between gap-2 rounded-control border border-line bg-sunken py-1 pr-1.5 pl-3 forced-colors:border"
        >
          <p className="wrap-anywhere min-w-0">
            Users must be in segment {/* In a new tab, because the page has unsaved changes. */}
            <TextLink to={paths.editSegment(id)} target="_blank" rel="noopener" className="font-semibold">
              {nameOf(id)}
            </TextLink>
          </p>
          <IconButton label={`Remove segment ${nameOf(id)}`} icon={<RemoveIcon />} onClick={() => onRemove(id)} />
        </li>
      ))}
    </ul>
  );
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
