import { useEffect, useState } from 'react';
import { dismiss, type Notice, useNewestNotice } from '@/api/errorList';
import { cx } from '@/lib/cx';

/** The newest notice that nothing else on the page tells. */
export function Snackbar() {
  const notice = useNewestNotice();
  return (
    <div aria-live="polite" className="pointer-events-none fixed inset-x-4 bottom-4 z-60 flex justify-center">
      {notice && <Bar key={notice.id} notice={notice} />}
    </div>
  );
}

function Bar({ notice: { id, kind, text, ms } }: { notice: Notice }) {
  const [held, setHeld] = useState(false);
  // Time runs only while nobody reads it with the pointer or the focus on it.
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismiss(id), ms);
    return () => clearTimeout(timer);
  }, [id, ms, held]);
  const hold = {
    onPointerEnter: () => setHeld(true),
    onPointerLeave: () => setHeld(false),
    onFocus: () => setHeld(true),
    onBlur: () => setHeld(false),
  };
  return (
    <div {...hold} data-testid="snackbar" role={kind === 'error' ? 'alert' : 'status'} className={BAR}>
      <span
        aria-hidden="true"
        className={cx('size-2 shrink-0 rounded-full', kind === 'error' ? 'bg-danger-inverse' : 'bg-on-mark')}
      />
      <span className="wrap-anywhere min-w-0 flex-1 py-2.5">{text}</span>
      <button
        type="button"
        onClick={() => dismiss(id)}
        className="shrink-0 rounded-control px-2.5 py-1.5 font-semibold hover:bg-surface/15 focus-visible:outline-on-inverse touch:min-h-touch"
      >
        Dismiss
      </button>
    </div>
  );
}

const BAR = cx(
  'pointer-events-auto flex min-h-11 max-w-[640px] items-center gap-3 rounded-card border border-line-inverse bg-inverse pr-2 pl-4',
  'text-on-inverse shadow-overlay transition-[opacity,translate] duration-150 starting:translate-y-2 starting:opacity-0',
);
