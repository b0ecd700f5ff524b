import { useFeatureTypes } from '@/api/reads';
import { formatTag } from '@/domain/tags/tags';
import { formatTagParam, type ToggleFacets } from '@/domain/toggles/toggleFacets';
import { sections } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { SegmentedField } from '@/ui/SegmentedField';
import { Select } from '@/ui/Select';
import { useTagChoices } from '../tags/useToggleTags';
import type { NarrowFacets } from './useToggleFilters';

interface Props {
  facets: ToggleFacets;
  onChange: NarrowFacets;
}

export function FilterPanel({ facets, onChange }: Props) {
  const types = useFeatureTypes();
  const { known } = useTagChoices(true);
  const offered = known.filter((tag) => !facets.tags.includes(formatTagParam(tag)));
  return (
    <div className="grid gap-4">
      <SegmentedField
        label="State"
        value={facets.state}
        options={[
          { value: '', label: 'Any' },
          { value: 'on', label: 'On' },
          { value: 'off', label: 'Off' },
        ]}
        onChange={(state) => onChange(() => ({ state }))}
      />
      <SegmentedField
        label="Status"
        value={facets.status}
        options={[
          { value: '', label: 'Any' },
          { value: 'active', label: 'Active' },
          { value: 'stale', label: 'Stale' },
        ]}
        onChange={(status) => onChange(() => ({ status }))}
      />
      <Select
        label="Type"
        value={facets.type}
        options={[{ value: '', label: 'Any type' }, ...types.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={(type) => onChange(() => ({ type }))}
      />
      <Select
        label="Tag"
        value=""
        options={[
          { value: '', label: offered.length > 0 ? 'Add a tag…' : 'No tags to choose from' },
          ...offered.map((tag) => ({ value: formatTagParam(tag), label: formatTag(tag) })),
        ]}
        onChange={(tag) => {
          if (tag !== '') onChange(({ tags }) => ({ tags: [...new Set([...tags, tag])] }));
        }}
      />
      <p className="flex gap-4 border-line border-t pt-3 text-secondary">
        {[sections.evaluation, sections.projects, sections.tags].map(({ label, path }) => (
          <TextLink key={path} to={path} tone="accent" className={LINK}>
            {label}
          </TextLink>
        ))}
      </p>
    </div>
  );
}

const LINK = 'inline-flex items-center font-medium touch:min-h-touch';
