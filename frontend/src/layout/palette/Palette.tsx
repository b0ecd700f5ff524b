// The command palette: keyboard navigation to all pages, and actions on toggles.

import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { Toggle } from '@/api/generated/types';
import { holdPrompt } from '@/domain/holds/holds';
import { getEffect, mayWiden } from '@/domain/impact/effect';
import { getPercent } from '@/domain/strategies/audience';
import { confirmWidening } from '@/domain/toggles/confirmSwitch';
import { useReleaseHold } from '@/features/holds/useReleaseHold';
import { ArchiveDialog } from '@/features/toggles/list/ArchiveDialog';
import { useToggleSave } from '@/features/toggles/saving/useToggleSave';
import { useToggleWrites } from '@/features/toggles/saving/useToggleWrites';
import { cx } from '@/lib/cx';
import { withPercentSign } from '@/lib/format';
import { useOverlay } from '@/lib/overlays';
import { usePrompt } from '@/lib/prompt';
import { addRecentId } from '@/lib/recentIds';
import { findReturnTarget } from '@/lib/restoreFocus';
import { userSignal } from '@/lib/store';
import { paths } from '@/paths';
import { useOpenPage } from '@/shared/navigation';
import {
  ActiveIcon,
  ApplicationIcon,
  ArchiveIcon,
  CopyIcon,
  CurlIcon,
  DisabledIcon,
  EnabledIcon,
  ExperimentIcon,
  GoToIcon,
  HistoryIcon,
  HoldIcon,
  type IconComponent,
  PercentageIcon,
  StaleIcon,
  StrategyEntryIcon,
  ToggleIcon,
} from '@/ui/icons';
import { Kbd } from '@/ui/Kbd';
import { changePalette, type OpenPalette } from '@/layout/commands';
import { ImpactPreview } from './ImpactPreview';
import { PaletteFieldFrame, paletteBackdropClass, paletteField, palettePopupClass } from './LoadingPalette';
import type { PaletteAction } from './paletteActions';
import { applyRollout, type RolloutChange } from './paletteCommands';
import {
  describeNothing,
  type PaletteEntry,
  type PaletteGroup,
  searchPalette,
  type ToggleEntry,
} from './paletteSearch';
import { usePaletteSources } from './usePaletteSources';

interface Props {
  /** Undefined while it is closed. */
  palette: OpenPalette | undefined;
  onClose: () => void;
}

/** The palette. It stays mounted while it is closed, because its saves continue and may ask about conflicts. */
export function Palette({ palette, onClose }: Props) {
  const go = useOpenPage();
  const { setEnabled, setStale } = useToggleWrites();
  const release = useReleaseHold();
  const [archiving, archiveState] = usePrompt<Toggle>();
  const rollouts = useRolloutChanges(onClose);

  const runAction = (action: PaletteAction, toggle: Toggle) => {
    switch (action) {
      case 'enable':
      case 'disable':
        return void setEnabled(toggle, action === 'enable');
      case 'stale':
      case 'active':
        return void setStale(toggle, action === 'stale');
      case 'copy':
        return void go(paths.copyToggle(toggle.name));
      case 'hold':
        return void holdPrompt.ask(toggle.name);
      case 'release':
        return void release.ask({ toggle: toggle.name, environment: null });
      case 'archive':
        return void archiving.ask(toggle);
    }
  };
  const choose = ({ id, recentId = id, command, disabledReason }: PaletteEntry) => {
    if (disabledReason !== undefined || 'incomplete' in command) return;
    // After an action, the toggle is the recent entry, so that Enter does not repeat the action.
    addRecentId('action' in command ? `toggle:${command.toggle.name}` : recentId);
    onClose();
    if ('to' in command) void go(command.to);
    else if ('change' in command) void rollouts.change(command.change);
    else if ('run' in command) command.run();
    else runAction(command.action, command.toggle);
  };

  return (
    <>
      {palette && <PalettePopup {...palette} saving={rollouts.saving} onChoose={choose} onClose={onClose} />}
      {archiveState && (
        <ArchiveDialog
          prompt={archiving}
          toggle={archiveState.question}
          onArchived={() => {
            // The page may have changed since the last render.
            const isItsPage = window.location.pathname.endsWith(`/${encodeURIComponent(archiveState.question.name)}`);
            if (isItsPage) void go(paths.toggles());
          }}
        />
      )}
      {release.dialog}
      {rollouts.conflict}
    </>
  );
}

/**
 * Changes of rollouts. They run one after the other, so that at most one asks a question. A conflict closes the palette,
 * which may be open again by then.
 */
function useRolloutChanges(onConflict: () => void) {
  const { save, conflict } = useToggleSave();
  const last = useRef<Promise<void>>(Promise.resolve());
  const [saving, setSaving] = useState<ReadonlySet<string>>(new Set());

  async function run(change: RolloutChange, user: AbortSignal): Promise<void> {
    const { toggle, index, percent } = change;
    // The next user must not be asked about it.
    if (user.aborted) return;
    const strategy = toggle.strategies[index];
    const effect = getEffect(toggle, applyRollout(change));
    if (strategy && mayWiden(effect)) {
      const text = `The rollout changes from ${getPercent(strategy)} to ${withPercentSign(percent)}.`;
      if (!(await confirmWidening(toggle.name, effect, text)) || user.aborted) return;
    }
    await save(toggle, () => applyRollout(change), { onConflict, purpose: 'command' });
  }

  async function change(change: RolloutChange): Promise<void> {
    const { name } = change.toggle;
    const user = userSignal();
    setSaving((names) => new Set(names).add(name));
    const own = last.current.then(() => run(change, user));
    // A failed change must not stop the next one.
    last.current = own.catch(() => undefined);
    await own.finally(() => setSaving((names) => new Set([...names].filter((other) => other !== name))));
  }

  return { change, saving, conflict };
}

interface PalettePopupProps extends OpenPalette {
  saving: ReadonlySet<string>;
  onChoose: (entry: PaletteEntry) => void;
  onClose: () => void;
}

function PalettePopup({ query, isSubmitted, origin, saving, onChoose, onClose }: PalettePopupProps) {
  useOverlay('dialog', true);
  const [highlightedId, setHighlightedId] = useState<string>();
  const { isLoading, failure, ...sources } = usePaletteSources(query, saving);
  const groups = searchPalette(query, sources);
  const entries = useMemo(() => groups.flatMap(({ items }) => items), [groups]);
  const count = entries.length;
  const chooseFirst = useEffectEvent(() => {
    const [first] = entries;
    if (first) onChoose(first);
  });
  // An effect, because Enter was pressed before there were results.
  useEffect(() => {
    if (isSubmitted && !isLoading) chooseFirst();
  }, [isSubmitted, isLoading]);
  return (
    <Dialog.Root
      open
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={paletteBackdropClass} />
        <Dialog.Popup
          finalFocus={() => findReturnTarget(origin)}
          aria-label="Command palette"
          className={palettePopupClass}
        >
          <Autocomplete.Root
            open
            inline
            items={groups}
            mode="none"
            autoHighlight="always"
            keepHighlight
            value={query}
            onValueChange={(next) => {
              setHighlightedId(undefined);
              changePalette({ query: next, isSubmitted: false });
            }}
            onItemHighlighted={(entry) => setHighlightedId(entry?.id)}
            itemToStringValue={({ label }: PaletteEntry) => label}
          >
            <PaletteFieldFrame>
              <Autocomplete.Input {...paletteField} />
            </PaletteFieldFrame>
            <p role="status" className={count === 0 ? 'px-4 py-6 text-center text-muted' : 'sr-only'}>
              {statusText(count, isLoading, describeNothing(query, sources))}
            </p>
            {failure && (
              <p role="alert" className="border-line border-b px-4 py-2 text-danger text-secondary">
                {failure}
              </p>
            )}
            <Autocomplete.List aria-label="Results" className="min-h-0 overflow-y-auto p-1.5 empty:hidden">
              {(group: PaletteGroup) => (
                <Autocomplete.Group key={group.value} items={group.items} className="not-first:mt-1.5">
                  <Autocomplete.GroupLabel className="wrap-anywhere px-2.5 py-1.5 font-semibold text-label text-muted">
                    {group.value}
                  </Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(entry: PaletteEntry) => <PaletteRow key={entry.id} entry={entry} onChoose={onChoose} />}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
            <ImpactPreview entry={entries.find(({ id }) => id === highlightedId) ?? entries[0]} />
          </Autocomplete.Root>
          <Dialog.Close className="sr-only">Close</Dialog.Close>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** `nothing` says why a command finds nothing. */
function statusText(count: number, isLoading: boolean, nothing = 'No results'): string {
  if (isLoading) return 'Loading toggles…';
  if (count === 0) return nothing;
  return count === 1 ? '1 result' : `${count} results`;
}

const ACTION_ICONS: { [action in PaletteAction]: IconComponent } = {
  enable: EnabledIcon,
  disable: DisabledIcon,
  stale: StaleIcon,
  active: ActiveIcon,
  copy: CopyIcon,
  hold: HoldIcon,
  release: HoldIcon,
  archive: ArchiveIcon,
};

const KIND_ICONS: { [kind: string]: IconComponent } = {
  page: GoToIcon,
  toggle: ToggleIcon,
  strategy: StrategyEntryIcon,
  application: ApplicationIcon,
  set: PercentageIcon,
  why: ExperimentIcon,
  events: HistoryIcon,
};

function selectIcon({ id, command }: PaletteEntry): IconComponent {
  return 'action' in command ? ACTION_ICONS[command.action] : (KIND_ICONS[id.slice(0, id.indexOf(':'))] ?? CurlIcon);
}

function PaletteRow({ entry, onChoose }: { entry: PaletteEntry; onChoose: (entry: PaletteEntry) => void }) {
  const { label, detail, keys, disabledReason } = entry;
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
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate">{label}</span>
          {isToggle(entry) && <StateDot isOn={entry.toggle.enabled} />}
        </span>
        {detail !== undefined && <span className="wrap-anywhere text-label text-muted">{detail}</span>}
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

function isToggle(entry: PaletteEntry): entry is ToggleEntry {
  return 'toggle' in entry;
}

/** Filled in green if the toggle is on, a ring if it is off. */
function StateDot({ isOn }: { isOn: boolean }) {
  return (
    <span
      role="img"
      aria-label={isOn ? 'on' : 'off'}
      title={isOn ? 'On' : 'Off'}
      className={cx('size-2 shrink-0 rounded-full forced-color-adjust-none', isOn ? 'bg-on' : 'border-2 border-muted')}
    />
  );
}

const ROW = cx(
  'flex min-h-9 cursor-default scroll-my-10 items-center gap-2.5 rounded-chip px-2.5 py-1 outline-none',
  'data-highlighted:forced-selected data-highlighted:bg-accent-soft touch:min-h-touch',
);
