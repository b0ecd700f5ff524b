import { read } from '@/api/client';
import { feature } from '@/api/endpoints';
import { ApiError } from '@/api/error';
import type { Toggle } from '@/api/generated/types';
import { managerOf, possibleManagersOf } from '@/api/managedToggles';
import { pushError } from '@/api/notices';
import { type Edit, questionPrompt } from '@/api/questions';
import { writeYaml } from '@/domain/toggles/writeYaml';
import { copyAndNotify } from '@/shared/copyAndNotify';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { CopyAsIcon } from '@/ui/icons';
import { NameList } from '@/ui/NameList';

interface Props {
  names: readonly string[];
  edit: Edit | undefined;
}

/** Asks before an edit of toggles that files manage or may manage, and copies the edited toggle in the format of the files. */
export function ManagedEditDialog({ names, edit }: Props) {
  const managed = names.filter((name) => managerOf(name) !== '');
  const unknown = names.filter((name) => managerOf(name) === '');
  const isOne = names.length === 1;
  const describe = (part: readonly string[]) => {
    if (isOne) return 'This toggle';
    return part.length === names.length ? 'These toggles' : `${part.length} of these toggles`;
  };
  const loadEdited = edit && readEdited(edit);
  const copy = async () => {
    if (!loadEdited) return;
    try {
      await copyAndNotify(await writeYaml([await loadEdited()], { hasState: true }));
    } catch (failure) {
      pushError(`The toggle was not copied: ${failure instanceof ApiError ? failure.noticeText : String(failure)}`);
    }
  };
  return (
    <ConfirmDialog
      prompt={questionPrompt}
      title={isOne ? `Edit ${names[0]}` : `Edit ${names.length} toggles`}
      body={
        <>
          {managed.length > 0 && (
            <p className="wrap-anywhere font-semibold text-text">
              {describe(managed)} {managed.length === 1 ? 'is' : 'are'} managed by files ({join(managed.map(managerOf))}
              ).
            </p>
          )}
          {unknown.length > 0 && (
            <p className="wrap-anywhere font-semibold text-text">
              {describe(unknown)} may be managed by files ({join(unknown.flatMap(possibleManagersOf))}): their toggles
              could not be read.
            </p>
          )}
          <p className="mt-2">
            The next apply undoes this edit if the files contain what it changes. Change the files to keep it.
          </p>
          {!isOne && (
            <p className="mt-2">
              <NameList names={names} />
            </p>
          )}
          {loadEdited && (
            <Button size="small" icon={<CopyAsIcon />} onClick={() => void copy()} className="mt-3">
              Copy the changed toggle as YAML
            </Button>
          )}
        </>
      }
      confirmLabel="Edit anyway"
      action={async () => undefined}
    />
  );
}

function join(files: readonly string[]): string {
  return [...new Set(files)].join(', ');
}

/** Returns a function that loads the toggle as it is after the edit; undefined if no file could contain the edit. */
function readEdited({ call, content }: Edit): (() => Promise<Toggle>) | undefined {
  const [, name = '', property, value] = EDIT.exec(call.path) ?? [];
  if (call.method === 'PUT') return async () => content as Toggle;
  if (property === undefined) return undefined;
  const isOn = value === 'on';
  return async () => ({
    ...(await read(feature(decodeURIComponent(name)))),
    ...(property === 'stale' ? { stale: isOn } : { enabled: isOn }),
  });
}

/** The requests that switch a toggle, or mark it as stale. */
const EDIT = /^api\/admin\/features\/([^/?]+)\/(toggle|stale)\/(on|off)$/;
