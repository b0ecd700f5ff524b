// What can be done to the chosen toggles, then how far it has come, then what failed.
import { Archive, CircleCheck, Clock, Tag as TagIcon, ToggleLeft, ToggleRight, X } from 'lucide-react';
import { type ReactNode, useCallback, useState } from 'react';
import type { Toggle } from '@/api/generated/types';
import { useDisabledReason } from '@/api/permissions';
import { findPageHeading } from '@/lib/findPageHeading';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { useDialogSubject } from '@/lib/useDialogSubject';
import { Button } from '@/ui/Button';
import { IconButton } from '@/ui/IconButton';
import { Menu } from '@/ui/Menu';
import { confirmDeed, startBulk } from '../bulk';
import { archiveAll, type Deed, markAll, switchAll, tagAll } from '../bulkDeeds';
import type { Bulk } from '../bulkState';
import type { Selection } from '../useSelection';
import { AddTagDialog } from './AddTagDialog';
import { BulkArchiveDialog } from './BulkArchiveDialog';
import { BulkProgress } from './BulkProgress';
import { BULK_BAR } from './SelectBox';

interface Props {
  selection: Selection;
  /** How many rows the filters leave. */
  total: number;
  bulk: Bulk | undefined;
}

export function BulkBar({ selection, total, bulk }: Props) {
  const [isTagging, setTagging] = useState(false);
  // The names stay on the dialog while it closes, when nothing is selected any more.
  const archiving = useDialogSubject<readonly Toggle[]>();
  const { toggles, setAll } = selection;
  const start = async (deed: Deed) => {
    if (!(await confirmDeed(deed, toggles))) return;
    document.getElementById(BULK_BAR)?.focus();
    void startBulk(deed, toggles);
    setAll(false);
  };
  // When the bar goes, so does what has the focus in it.
  const bar = useCallback((element: HTMLElement) => {
    return () => {
      if (element.contains(document.activeElement)) findPageHeading()?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <>
      <section
        ref={bar}
        id={BULK_BAR}
        tabIndex={-1}
        aria-label="Selected toggles"
        onKeyDown={({ key }) => {
          if (key === 'Escape' && !bulk) setAll(false);
        }}
        className="fixed inset-x-4 bottom-4 z-40 mx-auto flex w-fit max-w-[calc(100%-2rem)] items-center gap-2 rounded-card border border-line-strong bg-surface px-3 py-2 shadow-overlay outline-none max-sm:w-auto"
      >
        {bulk ? (
          <BulkProgress bulk={bulk} />
        ) : (
          <Deeds
            selection={selection}
            total={total}
            start={start}
            onTag={() => setTagging(true)}
            onArchive={() => archiving.ask(toggles)}
          />
        )}
      </section>
      <AddTagDialog
        open={isTagging}
        present={[]}
        onAdd={async (tag) => start(tagAll(tag))}
        onClose={() => setTagging(false)}
      />
      <BulkArchiveDialog
        open={archiving.open}
        toggles={archiving.subject ?? []}
        onConfirm={() => start(archiveAll())}
        onClose={archiving.close}
      />
    </>
  );
}

interface DeedsProps {
  selection: Selection;
  total: number;
  start: (deed: Deed) => void;
  onTag: () => void;
  onArchive: () => void;
}

interface Item {
  id: string;
  label: string;
  icon: ReactNode;
  disabledReason: string | undefined;
  tone?: 'danger';
  onSelect: () => void;
}

const ICON = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

function Deeds({ selection, total, start, onTag, onArchive }: DeedsProps) {
  const locale = useLocale();
  const { length } = selection.toggles;
  const items = useItems(start, onTag, onArchive);
  return (
    <>
      <p role="status" className="whitespace-nowrap font-semibold tabular-nums">
        {formatNumber(length, locale)} selected
      </p>
      {length < total && (
        <Button variant="ghost" size="small" onClick={() => selection.setAll(true)}>
          All {formatNumber(total, locale)}
        </Button>
      )}
      <span className="flex gap-1.5 max-lg:hidden">
        {items.map(({ id, label, icon, disabledReason, tone, onSelect }) => (
          <Button
            key={id}
            size="small"
            icon={icon}
            disabledReason={disabledReason}
            onClick={onSelect}
            {...(tone && { variant: tone })}
          >
            {label}
          </Button>
        ))}
      </span>
      <span className="ml-auto flex lg:hidden">
        <Menu label="Actions" trigger={{ text: 'Actions' }} items={items} />
      </span>
      <IconButton label="Select none" icon={<X {...ICON} size={17} />} onClick={() => selection.setAll(false)} />
    </>
  );
}

function useItems(start: (deed: Deed) => void, onTag: () => void, onArchive: () => void): Item[] {
  const update = { disabledReason: useDisabledReason('UPDATE_FEATURE') };
  const remove = { disabledReason: useDisabledReason('DELETE_FEATURE') };
  return [
    { id: 'on', label: 'Enable', icon: <ToggleRight {...ICON} />, ...update, onSelect: () => start(switchAll(true)) },
    { id: 'off', label: 'Disable', icon: <ToggleLeft {...ICON} />, ...update, onSelect: () => start(switchAll(false)) },
    { id: 'stale', label: 'Mark stale', icon: <Clock {...ICON} />, ...update, onSelect: () => start(markAll(true)) },
    {
      id: 'active',
      label: 'Mark active',
      icon: <CircleCheck {...ICON} />,
      ...update,
      onSelect: () => start(markAll(false)),
    },
    { id: 'tag', label: 'Tag…', icon: <TagIcon {...ICON} />, ...update, onSelect: onTag },
    { id: 'archive', label: 'Archive…', icon: <Archive {...ICON} />, tone: 'danger', ...remove, onSelect: onArchive },
  ];
}
