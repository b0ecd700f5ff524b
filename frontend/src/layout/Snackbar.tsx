import { type FocusEvent, useEffect, useRef, useState } from 'react';
import { dismiss, type Notice, undoNotice, useNewestNotice } from '@/api/notices';
import { cx } from '@/lib/cx';
import { isCommandKey, isTyping, useDocumentKeys } from '@/lib/keyboard';
import { leaveGuards } from '@/lib/leaveGuard';
import { isOverlayOpen } from '@/lib/overlays';
import { findPageHeading } from '@/lib/restoreFocus';
import { BOTTOM_POSITION } from '@/ui/bottomPosition';

/** Shows the newest notice that is not shown elsewhere on the page. */
export function Snackbar() {
  const notice = useNewestNotice();
  return (
    <div aria-live="polite" className={POSITION}>
      {notice && <Bar key={notice.id} notice={notice} />}
    </div>
  );
}

function Bar({ notice }: { notice: Notice }) {
  const { id, kind, text, durationMs, fadeMs = 0, undo } = notice;
  const [held, setHeld] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [undoing, setUndoing] = useState(false);
  const cameFrom = useRef<HTMLElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  // The timer pauses while the pointer or the focus is on the notice.
  useEffect(() => {
    if (held || undoing) return;
    const timers = [setTimeout(() => setLeaving(true), durationMs), setTimeout(() => dismiss(id), durationMs + fadeMs)];
    return () => {
      timers.forEach(clearTimeout);
      setLeaving(false);
    };
  }, [id, durationMs, fadeMs, held, undoing]);
  const returnFocus = () => {
    if (cameFrom.current?.isConnected) cameFrom.current.focus();
    else findPageHeading()?.focus({ preventScroll: true });
  };
  const leave = (act: () => void) => {
    // The focused button may disappear with the notice.
    returnFocus();
    act();
  };
  // Tab may take thousands of steps to reach the notice, which is shown for ten seconds.
  useDocumentKeys((event) => {
    const hasFocus = bar.current?.contains(document.activeElement);
    const isKey = event.key === 'F6' || (event.key === 'Escape' && hasFocus);
    // A dialog keeps the focus inside.
    if (!isKey || isOverlayOpen('dialog')) return;
    event.preventDefault();
    if (hasFocus) returnFocus();
    else bar.current?.querySelector('button')?.focus();
  });
  const undoIt = () => {
    if (undoing) return;
    setUndoing(true);
    void undoNotice(notice).finally(() => setUndoing(false));
  };
  const hold = {
    onPointerEnter: () => setHeld(true),
    onPointerLeave: () => setHeld(false),
    onFocus: ({ relatedTarget, currentTarget }: FocusEvent) => {
      if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
        cameFrom.current = relatedTarget;
      setHeld(true);
    },
    onBlur: () => setHeld(false),
  };
  return (
    <div
      {...hold}
      ref={bar}
      data-testid="snackbar"
      role={kind === 'error' ? 'alert' : 'status'}
      className={cx(BAR, leaving && LEAVING)}
    >
      <span
        aria-hidden="true"
        className={cx(
          'size-2 shrink-0 rounded-full forced-color-adjust-none',
          kind === 'error' ? 'bg-danger-inverse' : 'bg-on-mark',
        )}
      />
      <span className="wrap-anywhere min-w-0 flex-1 py-2.5">{text}</span>
      {undo && <UndoButton busy={undoing} onUndo={() => leave(undoIt)} onKey={undoIt} />}
      <button type="button" onClick={() => leave(() => dismiss(id))} className={BUTTON}>
        Dismiss
      </button>
    </div>
  );
}

interface UndoButtonProps {
  busy: boolean;
  onUndo: () => void;
  onKey: () => void;
}

function UndoButton({ busy, onUndo, onKey }: UndoButtonProps) {
  // In a field, the key undoes what was typed after the action; otherwise the action, such as a save with Ctrl+S, is the last one.
  const hasTyped = useRef(false);
  // An effect, because the fields are anywhere on the page.
  useEffect(() => {
    const note = () => {
      hasTyped.current = true;
    };
    document.addEventListener('input', note);
    return () => document.removeEventListener('input', note);
  }, []);
  useDocumentKeys((event) => {
    const isText = isTyping(event) && (hasTyped.current || leaveGuards.get().length > 0 || isOverlayOpen('dialog'));
    if (!isCommandKey(event, 'z') || isText) return;
    event.preventDefault();
    onKey();
  });
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+Z Meta+Z"
      title="Ctrl+Z"
      aria-busy={busy || undefined}
      onClick={onUndo}
      className={cx(BUTTON, 'text-on-mark')}
    >
      Undo
    </button>
  );
}

/** Above the bar at the bottom edge, if the page has one. */
const POSITION = cx(BOTTOM_POSITION, 'bottom-[max(16px,var(--bottom-bar))] z-60 px-4');

const BUTTON = cx(
  'shrink-0 rounded-control px-2.5 py-1.5 font-semibold hover:bg-surface/15',
  'focus-visible:outline-on-inverse touch:min-h-touch',
);

const LEAVING = 'opacity-0 duration-250';

const BAR = cx(
  'pointer-events-auto flex min-h-11 max-w-[640px] items-center gap-3 rounded-card border border-line-inverse bg-inverse pr-2 pl-4',
  'text-on-inverse shadow-overlay transition-[opacity,translate] duration-150 starting:translate-y-2 starting:opacity-0',
);
