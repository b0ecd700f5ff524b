import { Fragment, type ReactNode } from 'react';
import type { Strategy, Toggle } from '@/api/generated/types';
import { isForEveryone } from '@/domain/strategies/audience';
import { matchStrategies } from '@/domain/strategies/matchStrategies';
import { describeRule, getRuleParts, getSeparator, type RulePart } from '@/domain/strategies/ruleSentence';
import { type SegmentName, useSegmentName } from '@/domain/strategies/useSegmentName';
import { useLocale } from '@/lib/locale';

type Audience = Pick<Toggle, 'name' | 'enabled' | 'strategies'>;

interface Props {
  before: Audience;
  after: Audience;
  /** Words at the end of the sentence, if the toggle is on. */
  ending?: string;
}

/** Number of rules before "and 2 more strategies". */
const MAX_RULES = 3;

/** The audience of a toggle as one sentence, in which the words that an edit changes are marked. */
export function AudienceSentence({ before, after, ending = '' }: Props) {
  const origins = matchStrategies(before.strategies, after.strategies);
  const oldOf = (at: number): Strategy | undefined => before.strategies[origins[at] ?? -1];
  const active = after.strategies.map((rule, at) => ({ rule, old: oldOf(at) })).filter(({ rule }) => !rule.disabled);
  const removed = before.strategies.filter((_, at) => !origins.includes(at));
  const all = active.find(({ rule }) => isForEveryone(rule));
  // A strategy that is on for everyone decides alone.
  const shown = all ? [all] : active.slice(0, MAX_RULES);
  const more = all ? 0 : active.length - shown.length;
  const locale = useLocale();
  const segmentName = useSegmentName([...before.strategies, ...after.strategies]);
  const isOff = after.strategies.length > 0 && active.length === 0;
  return (
    <>
      {getPrefix(after.enabled, isOff)}
      {after.strategies.length === 0 && <b className="font-semibold">everyone</b>}
      {shown.map(({ rule, old }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: strategies have no name of their own.
        <Fragment key={index}>
          {index > 0 && ', and for '}
          <RulePhrase rule={rule} old={old} toggleName={after.name} segmentName={segmentName} />
        </Fragment>
      ))}
      {more > 0 && `, and for ${more === 1 ? '1 more strategy' : `${more} more strategies`}`}
      {after.enabled && !isOff && ending}.
      {removed.length > 0 && !all && (
        <Changed>
          {' '}
          No longer for{' '}
          <s>
            {removed
              .map((rule) => describeRule(rule, { toggleName: after.name, segmentName, maxValues: 3, locale }))
              .join(', ')}
          </s>
          .
        </Changed>
      )}
    </>
  );
}

function getPrefix(isEnabled: boolean, isOff: boolean): string {
  if (isOff) return isEnabled ? 'Off for everyone: all strategies are disabled' : 'All strategies are disabled';
  return isEnabled ? 'On for ' : 'When enabled, on for ';
}

interface RulePhraseProps {
  rule: Strategy;
  /** The stored rule; undefined for a new one. */
  old: Strategy | undefined;
  toggleName: string;
  segmentName: SegmentName;
}

function RulePhrase({ rule, old, toggleName, segmentName }: RulePhraseProps) {
  const options = { toggleName, segmentName, maxValues: 3, locale: useLocale() };
  const parts = getRuleParts(rule, options);
  const oldParts = old && getRuleParts(old, options);
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts are words of one sentence.
    <Fragment key={index}>
      {getSeparator(part, index)}
      <Word part={part} isNew={!oldParts} old={oldParts && findOld(part, oldParts)} />
    </Fragment>
  ));
}

/** Returns the text of the same field in the old sentence; undefined if it had none. */
function findOld(part: RulePart, oldParts: readonly RulePart[]): string | undefined {
  return oldParts.find((old) => getField(old) === getField(part))?.text;
}

function getField(part: RulePart): string {
  if (part.kind === 'words' || part.kind === 'name') return part.text;
  if (part.kind === 'segments' || part.kind === 'schedule') return part.kind;
  return part.kind === 'parameter' ? `parameter ${part.parameter}` : `constraint ${part.constraint.contextName}`;
}

function Word({ part, isNew, old }: { part: RulePart; isNew: boolean; old: string | undefined }) {
  const { text } = part;
  if (part.kind === 'name' && old === part.text) return part.text;
  if (isNew || (old === undefined && part.kind !== 'words')) return <Changed>{text}</Changed>;
  if (part.kind === 'words') return part.text === 'everyone' ? <b className="font-semibold">{text}</b> : text;
  if (old === part.text) return <b className="font-semibold">{text}</b>;
  return (
    <>
      {part.kind === 'parameter' && <b className="font-semibold">{old?.replace('\u00a0%', '')} </b>}
      <Changed>
        {part.kind === 'parameter' && '→ '}
        {text}
      </Changed>
    </>
  );
}

function Changed({ children }: { children: ReactNode }) {
  return <ins className="font-semibold text-dirty no-underline">{children}</ins>;
}
