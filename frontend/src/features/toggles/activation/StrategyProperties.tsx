// Properties of strategies that only newer servers have: title, disabled, segments and variants.
import type { Strategy } from '@/api/generated/types';
import type { NewerStrategy } from '@/api/newerTypes';
import { Chip } from '@/ui/Chip';
import { Switch } from '@/ui/Switch';
import { TextField } from '@/ui/TextField';
import { SegmentVerdicts } from '../lab/ConstraintVerdict';
import { setDisabled, setTitle } from './setStrategyProperty';

interface FieldsProps {
  strategy: NewerStrategy;
  /** The stored strategy; undefined for a new one. */
  base: NewerStrategy | undefined;
  onChange: (strategy: Strategy) => void;
}

/** Fields of the title and of the enabled state. */
export function StrategyPropertyFields({ strategy, base, onChange }: FieldsProps) {
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
export function StrategyMarks({ strategy: { title, disabled } }: { strategy: NewerStrategy }) {
  return (
    <>
      {title && (
        <span title={title} className="min-w-0 truncate">
          {title}
        </span>
      )}
      {disabled && <Chip>Disabled</Chip>}
    </>
  );
}

interface ReferencesProps {
  strategy: NewerStrategy;
  segmentNames: { readonly [id: string]: string } | undefined;
}

/** Segments and variants. They cannot be edited here, and every save keeps them. */
export function StrategyReferences({ strategy, segmentNames = {} }: ReferencesProps) {
  const segments = (strategy.segments ?? []).map((id) => segmentNames[id] ?? `segment ${id}`);
  const variants = (strategy.variants ?? []).map((variant) => `${Object(variant).name ?? ''}`);
  if (segments.length + variants.length === 0) return null;
  return (
    <div className="grid gap-2">
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[160px_minmax(0,1fr)]">
        <References term="Segments" names={segments} />
        <References term={variants.length === 1 ? '1 variant' : `${variants.length} variants`} names={variants} />
      </dl>
      <SegmentVerdicts />
    </div>
  );
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
