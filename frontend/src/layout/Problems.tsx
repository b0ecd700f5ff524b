import { useRef, useState } from 'react';
import { clearLog, type LoggedNotice, removeLogged, useNoticeLog } from '@/api/notices';
import { cx } from '@/lib/cx';
import { Button } from '@/ui/Button';
import { IconButton } from '@/ui/IconButton';
import { CloseIcon } from '@/ui/icons';
import { Time } from '@/ui/Time';
import { FooterPopover } from './FooterPopover';

/**
 * Button with the list of the latest errors and messages, including those that the snackbar no longer shows. It counts errors.
 * Nothing before the first one.
 */
export function Problems() {
  const entries = useNoticeLog();
  const errors = entries.filter(({ kind }) => kind === 'error').length;
  const label = errors === 0 && entries.length > 0 ? 'Messages' : 'Problems';
  // The button stays after its last entry is dismissed, until the focus has left it.
  const [isKept, setKept] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const dismiss = (act: () => void) => {
    // The focused button disappears.
    heading.current?.focus();
    act();
  };
  if (entries.length === 0 && !isKept) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notes where the focus is.
    <span
      onFocus={() => setKept(true)}
      onBlur={({ currentTarget, relatedTarget }) => setKept(currentTarget.contains(relatedTarget))}
    >
      <FooterPopover label={label} text={errors > 0 ? `${label} (${errors})` : label}>
        {() => (
          <div className="grid gap-3">
            <div className="flex items-center justify-between gap-3">
              <h2 ref={heading} tabIndex={-1} className="font-semibold text-body">
                Problems and messages
              </h2>
              {entries.length > 0 && (
                <Button size="small" onClick={() => dismiss(clearLog)}>
                  Dismiss all
                </Button>
              )}
            </div>
            {entries.length === 0 && <p className="text-muted">No errors or messages since you opened the console.</p>}
            {entries.length > 0 && (
              <ul className="divide-y divide-line">
                {entries.map((entry) => (
                  <Entry key={entry.id} entry={entry} onDismiss={() => dismiss(() => removeLogged(entry.id))} />
                ))}
              </ul>
            )}
          </div>
        )}
      </FooterPopover>
    </span>
  );
}

function Entry({ entry: { kind, text, count, at }, onDismiss }: { entry: LoggedNotice; onDismiss: () => void }) {
  return (
    <li className="flex items-start gap-2 py-2">
      <div className="min-w-0 flex-1">
        <p className="text-muted text-secondary">
          <span className={cx('font-semibold', kind === 'error' && 'text-danger')}>
            {kind === 'error' ? 'Error' : 'Message'}
          </span>
          {' · '}
          <Time value={at} />
          {count > 1 && ` · ${count} times`}
        </p>
        <p className="wrap-anywhere">{text}</p>
      </div>
      <IconButton label={`Dismiss: ${text}`} icon={<CloseIcon size={15} />} onClick={onDismiss} />
    </li>
  );
}
