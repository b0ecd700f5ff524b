import { Autocomplete } from '@base-ui/react/autocomplete';
import { cx } from '@/lib/cx';
import {
  ActiveIcon,
  ApplicationIcon,
  ArchiveIcon,
  CopyIcon,
  CurlIcon,
  DisabledIcon,
  EnabledIcon,
  GoToIcon,
  type IconComponent,
  StaleIcon,
  StrategyEntryIcon,
  ToggleIcon,
} from '@/ui/icons';
import { Kbd } from '@/ui/Kbd';
import type { PaletteAction } from './paletteActions';
import type { PaletteEntry } from './paletteSearch';

const ACTION_ICONS: { [action in PaletteAction]: IconComponent } = {
  enable: EnabledIcon,
  disable: DisabledIcon,
  stale: StaleIcon,
  active: ActiveIcon,
  copy: CopyIcon,
  archive: ArchiveIcon,
};

const KIND_ICONS: { [kind: string]: IconComponent } = {
  page: GoToIcon,
  toggle: ToggleIcon,
  strategy: StrategyEntryIcon,
  application: ApplicationIcon,
};

function selectIcon({ id, command }: PaletteEntry): IconComponent {
  return 'action' in command ? ACTION_ICONS[command.action] : (KIND_ICONS[id.slice(0, id.indexOf(':'))] ?? CurlIcon);
}

export function PaletteRow({ entry, onChoose }: { entry: PaletteEntry; onChoose: (entry: PaletteEntry) => void }) {
  const { label, keys, disabledReason } = entry;
  const Icon = selectIcon(entry);
  return (
    <Autocomplete.Item
      value={entry}
      aria-disabled={disabledReason !== undefined || undefined}
      onClick={() => onChoose(entry)}
      className={cx(ROW, disabledReason !== undefined && 'cursor-not-allowed text-muted')}
    >
      <Icon className="shrink-0 text-muted" />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="truncate">{label}</span>
        {disabledReason !== undefined && <span className="text-label text-muted">{disabledReason}</span>}
      </span>
      {keys !== undefined && (
        <span className="max-sm:hidden">
          <Kbd keys={keys} />
        </span>
      )}
    </Autocomplete.Item>
  );
}

const ROW = cx(
  'flex min-h-9 cursor-default scroll-my-10 items-center gap-2.5 rounded-chip px-2.5 py-1 outline-none',
  'data-highlighted:bg-accent-soft touch:min-h-touch',
);
