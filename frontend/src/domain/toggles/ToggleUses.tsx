// The uses of toggles in the dialogs that archive them.
import type { ReactNode } from 'react';
import { useCapabilities } from '@/api/capabilities';
import { useNewerServer } from '@/api/environment';
import { formatNumber } from '@/lib/format';
import { useLocale } from '@/lib/locale';
import { Time } from '@/ui/Time';
import type { ToggleUse } from './toggleUse';

interface SummaryProps {
  uses: readonly ToggleUse[];
  unknownReason: string;
  /** Shown after the warning. */
  children?: ReactNode;
}

/** Warns of toggles that are still in use. */
export function UseSummary({ uses, unknownReason, children }: SummaryProps) {
  const locale = useLocale();
  const used = uses.filter(({ state }) => state === 'used').length;
  const isUnknown = uses.some(({ state }) => state === 'unknown');
  if (used > 0) {
    const subject = uses.length === 1 ? 'It is' : `${formatNumber(used, locale)} ${used === 1 ? 'is' : 'are'}`;
    return (
      <p className="mt-2">
        <b className="font-semibold text-danger">{subject} still in use.</b> {children}
      </p>
    );
  }
  return <p className="mt-2">{isUnknown ? unknownReason : 'Not used in the last hour.'}</p>;
}

/** State, calls and last use of a toggle, such as `On · 1,200 yes per hour · seen just now`. */
export function UseText({ use: { toggle, state, lastHour } }: { use: ToggleUse }) {
  const locale = useLocale();
  const count = (value: number) => formatNumber(value, locale);
  return (
    <span className="text-secondary tabular-nums">
      {toggle.enabled ? 'On' : 'Off'}
      {state !== 'unknown' && (
        <span className={state === 'used' ? 'text-danger' : undefined}>
          {' · '}
          {describeCalls(lastHour, count)}
        </span>
      )}
      {toggle.lastSeenAt === null ? (
        ' · never seen'
      ) : (
        <>
          {' · seen '}
          <Time value={toggle.lastSeenAt} />
        </>
      )}
    </span>
  );
}

/** Calls without yes count too: the application still asks. */
function describeCalls(counts: ToggleUse['lastHour'], count: (value: number) => string): string {
  if (!counts || counts.yes + counts.no === 0) return 'no calls in the last hour';
  return counts.yes > 0 ? `${count(counts.yes)} yes per hour` : `0 yes, ${count(counts.no)} no per hour`;
}

/** Sentence of the archive dialogs about environments; nothing on servers without them. */
export function ArchiveScope() {
  const server = useNewerServer();
  const { reviveStaysOff } = useCapabilities();
  if (!server) return null;
  const names = server.environments.map(({ name }) => name);
  return (
    <p className="mt-2">
      Archiving applies to all environments{names.length > 0 && ` (${names.join(', ')})`}.
      {reviveStaysOff && ' A revived toggle is off in every environment.'}
    </p>
  );
}
