import { FilesIcon } from '@/ui/icons';
import { Popover } from '@/ui/Popover';

/** Button that names the files that manage a toggle. Its panel explains what this means for edits. */
export function ManagedMark({ files }: { files: string }) {
  return (
    <Popover
      label={`Managed by ${files}`}
      text={<span className="max-w-48 truncate">Managed by {files}</span>}
      icon={<FilesIcon className="shrink-0" />}
      variant="quiet"
      size="small"
    >
      {() => (
        <div className="grid gap-2 text-secondary">
          <h2 className="wrap-anywhere font-semibold text-body">Managed by {files}</h2>
          <p>
            Files contain this toggle, and <code className="font-mono">flagdeck apply</code> changes it. The next apply
            undoes edits of what the files contain. Change the files to keep an edit.
          </p>
          <p className="text-muted">If no file contains the toggle any longer, remove its tag managed-by.</p>
        </div>
      )}
    </Popover>
  );
}
