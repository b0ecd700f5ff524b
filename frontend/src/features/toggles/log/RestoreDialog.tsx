import { strategies } from '@/api/endpoints';
import type { Event, Toggle } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { ChangeList } from '@/domain/changes/ChangeList';
import { DiffList } from '@/domain/changes/DiffList';
import { describeToggleChanges } from '@/domain/changes/describeChanges';
import { jsonDiff } from '@/domain/changes/jsonDiff';
import { getToggleVersion } from '@/domain/events/toggleVersions';
import { useLocale } from '@/lib/locale';
import type { Prompt } from '@/lib/prompt';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { Time } from '@/ui/Time';
import { restoreVersion } from '../saving/toggleEdits';
import { useToggleSave } from '../saving/useToggleSave';

interface Props {
  toggle: Toggle;
  /** Event that contains the whole toggle. */
  event: Event;
  prompt: Prompt<Event>;
}

/** Confirms restoring a version and shows its changes. */
export function RestoreDialog({ toggle, event, prompt }: Props) {
  const { save, conflict } = useToggleSave(toggle);
  const definitions = useRead(strategies).data?.strategies;
  const locale = useLocale();
  const back = (one: Toggle) => restoreVersion(one, getToggleVersion(event) ?? {});
  return (
    <ConfirmDialog
      prompt={prompt}
      title={`Restore ${toggle.name}`}
      body={
        <>
          <p>
            Returns to the version after <b className="wrap-anywhere text-text">{event.createdBy}</b>’s change,{' '}
            <Time value={event.createdAt} />. The change takes effect immediately.
          </p>
          <h3 className="mt-4 mb-1.5 font-semibold text-secondary text-text">Changes</h3>
          <ChangeList changes={describeToggleChanges(toggle, back(toggle), definitions, locale)} />
          <details className="mt-4 min-w-0">
            <summary className="font-semibold text-secondary text-text">JSON diff</summary>
            <div className="mt-2 max-h-80 overflow-y-auto rounded-control bg-sunken p-3">
              <DiffList diffs={jsonDiff(toggle, back(toggle))} />
            </div>
          </details>
          {conflict}
        </>
      }
      confirmLabel="Restore"
      action={async () => {
        if (!(await save(toggle, back, { inline: true }))) throw new Error('Restore cancelled. Nothing was changed.');
      }}
    />
  );
}
