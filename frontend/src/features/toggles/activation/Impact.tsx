import type { Toggle } from '@/api/generated/types';
import { type Impact, type Level, withNote } from '@/domain/impact/estimateImpact';
import type { Versions } from '@/domain/impact/ImpactEstimate';
import { cx } from '@/lib/cx';
import { capitalise } from '@/lib/text';
import { AudienceSentence } from './AudienceSentence';

interface CardProps extends Versions {
  impact: Impact;
  /** A strategy shows its fields. */
  isEditing?: boolean;
}

/**
 * Card that states who gets the feature, over a bar with the calls that are on now and after saving. The sentence would repeat an
 * only strategy, and no call is on while the toggle is off.
 */
export function ImpactCard({ before, after, impact, isEditing = false }: CardProps) {
  const hasSentence = !isSameOnlyStrategy(before, after);
  if (!after.enabled && !hasSentence) return null;
  return (
    <section aria-label="Impact" className="rounded-card border border-line bg-surface p-4 shadow-card max-sm:p-3.5">
      {hasSentence && (
        <p className="wrap-anywhere text-pretty text-section not-last:mb-2.5">
          <AudienceSentence before={before} after={after} />
        </p>
      )}
      {after.enabled && (
        <>
          {impact.now && <CallBar now={impact.now} after={impact.after} />}
          {/* Room for four lines on phones while fields are open: the first edit must not move them. */}
          <div
            className={cx(
              'flex flex-wrap gap-x-4 gap-y-1 text-muted text-secondary tabular-nums max-sm:content-start',
              isEditing && 'max-sm:min-h-19',
            )}
          >
            <Legend {...impact} />
          </div>
        </>
      )}
    </section>
  );
}

/** Returns whether the toggle has one strategy, or none, and keeps it. */
function isSameOnlyStrategy(before: Toggle, after: Toggle): boolean {
  const counts = [before, after].map(({ strategies }) => strategies.length);
  return counts.every((count) => count < 2) && before.strategies[0]?.name === after.strategies[0]?.name;
}

/** Bar of all calls: green for those that are on, hatched for the effect of saving. */
function CallBar({ now, after }: { now: Level; after: Level | undefined }) {
  const label = [`Now: ${now.text}`, after && `after saving: ${after.text}`].filter(Boolean).join('; ');
  return (
    <div role="img" aria-label={label} className={BAR}>
      <span className="absolute inset-y-0 left-0 bg-on" style={{ width: percent(now.min) }} />
      {now.max > now.min && <Segment from={now.min} to={now.max} className="hatch-on opacity-50" />}
      {after && <Change now={now} after={after} />}
    </div>
  );
}

const BAR =
  'relative mb-2.5 h-3 overflow-hidden rounded-full bg-sunken forced-color-adjust-none ring-1 ring-line ring-inset';

/**
 * The calls that an edit turns on, or turns off: a hatched segment that ends at the level after saving. Calls of which that is unknown
 * are hatched in their color.
 */
function Change({ now, after }: { now: Level; after: Level }) {
  const kept = Math.min(after.max, now.max);
  const isGrowing = after.max > now.max;
  // Without an upper bound, the picture must not look as if everyone got the feature.
  const isKnown = after.max < 1 || after.min === after.max;
  return (
    <>
      {after.min < kept && <Segment from={after.min} to={kept} className="hatch-dirty bg-on-soft" />}
      {kept < now.max && <Segment from={kept} to={now.max} className="hatch-dirty border-dirty border-l-2 bg-sunken" />}
      {isGrowing && (
        <Segment from={now.max} to={after.max} className={cx('hatch-dirty', isKnown ? END : 'opacity-30')} />
      )}
    </>
  );
}

const END = 'border-dirty border-r-2';

function Segment({ from, to, className }: { from: number; to: number; className: string }) {
  return (
    <span className={`absolute inset-y-0 ${className}`} style={{ left: percent(from), width: percent(to - from) }} />
  );
}

function percent(share: number): string {
  return `${share * 100}%`;
}

function Legend({ checks, note, now, after }: Impact) {
  if (!now) return <span>{capitalise(checks)}</span>;
  return (
    <>
      <span>
        <Mark className="bg-on" />
        {capitalise(after ? now.text : withNote(now.text, note))}
      </span>
      {after && (
        <span>
          <Mark className="bg-dirty" />
          after saving <b className="font-semibold text-text">{after.text}</b>
          {withNote('', note)}
        </span>
      )}
    </>
  );
}

function Mark({ className }: { className: string }) {
  return (
    <span
      aria-hidden="true"
      className={`mr-1.5 inline-block size-2 rounded-[2px] forced-color-adjust-none ${className}`}
    />
  );
}
