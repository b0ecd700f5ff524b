import { Fragment, type ReactNode } from 'react';
import type { Strategy } from '@/api/generated/types';
import { ConstraintSentence } from '@/domain/strategies/ConstraintSentence';
import { getHashParts, getSeparator, getShortRuleParts, type RulePart } from '@/domain/strategies/ruleSentence';
import { getParameterLabel } from '@/domain/strategies/strategyNames';
import { tokenClass } from '@/domain/strategies/tokenClass';
import { cx } from '@/lib/cx';
import { jsonEqual } from '@/lib/json';
import { useLocale } from '@/lib/locale';
import { capitalise } from '@/lib/text';
import { WordButton } from './WordButton';

/** Part of a rule that a click on a word opens. */
export type RuleTarget =
  | { readonly parameter: string }
  | { readonly constraint: number }
  | 'segments'
  | 'schedule'
  | 'rule';

interface Props {
  strategy: Strategy;
  toggleName: string;
  segmentName?: ((id: number) => string) | undefined;
  /** The stored strategy; undefined for a new one. */
  base?: Strategy | undefined;
  /** Opens a part for editing. Undefined if the rule is read-only. */
  onOpen?: ((target: RuleTarget) => void) | undefined;
  /** Returns whether a constraint can be edited here. */
  isEditable?: (index: number) => boolean;
  /** After the last word. */
  children?: ReactNode;
}

/**
 * A rule as one sentence whose words are controls: each opens the field that it comes from. The stickiness and the group are in
 * `RuleDetails`, so that most sentences have one line.
 */
export function RuleSentence(props: Props) {
  const { strategy, toggleName, segmentName, base, onOpen, children } = props;
  const options = { toggleName, segmentName, locale: useLocale() };
  const parts = getShortRuleParts(strategy, options);
  const stored = base && getShortRuleParts(base, options);
  return (
    // No paragraph, because menus may follow the words.
    <div className="wrap-anywhere min-w-0 leading-[28px]">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts are words of one sentence.
        <Fragment key={index}>
          {getSeparator(part, index)}
          <Part {...props} part={part} isFirst={index === 0} stored={stored} onOpen={onOpen} />
        </Fragment>
      ))}
      {children}
    </div>
  );
}

/** The name of a strategy, and what it hashes, in a line below its sentence. */
export function RuleDetails({ children, ...props }: Props) {
  const { strategy, toggleName, base } = props;
  const stored = base && getHashParts(base, { toggleName });
  return (
    <div className="wrap-anywhere col-start-2 min-w-0 text-muted text-secondary leading-6 [&>h3]:inline [&>h3]:whitespace-normal">
      {children}
      {getHashParts(strategy, { toggleName }).map((part) =>
        part.kind === 'words' ? (
          // The dot stays at the end of its line, and the words beside their value.
          `\u00a0· ${part.text.replace(/^, /u, '').replace(' ', '\u00a0')}\u00a0`
        ) : (
          <Part key={part.text} {...props} part={part} isFirst={false} stored={stored} />
        ),
      )}
    </div>
  );
}

interface PartProps extends Omit<Props, 'children'> {
  part: RulePart;
  isFirst: boolean;
  /** The parts of the stored rule. */
  stored: readonly RulePart[] | undefined;
}

function Part({ part, isFirst, stored, base, onOpen, isEditable }: PartProps) {
  switch (part.kind) {
    case 'name':
      // A rule without a value that can be changed has no other control.
      if (onOpen)
        return (
          <Token onClick={() => onOpen('rule')} description="Edit the strategy">
            {part.text.replace(/:$/u, '')}
          </Token>
        );
      return <b className="font-semibold">{part.text}</b>;
    case 'words':
      // A rule without parameters has no other control.
      if (isFirst && onOpen)
        return (
          <Token onClick={() => onOpen('rule')} description="Edit the strategy">
            {capitalise(part.text)}
          </Token>
        );
      return isFirst ? <b className="font-semibold">{capitalise(part.text)}</b> : part.text;
    case 'parameter': {
      const old = stored?.find((one) => one.kind === 'parameter' && one.parameter === part.parameter)?.text;
      const isChanged = stored !== undefined && old !== part.text;
      const text = isFirst ? capitalise(part.text) : part.text;
      const content = (
        <>
          {isChanged && old && (
            <>
              <s className="font-normal text-muted">{old.replace('\u00a0%', '')}</s>{' '}
            </>
          )}
          {text}
        </>
      );
      if (!onOpen) return <b className="font-semibold">{text}</b>;
      return (
        <Token
          isChanged={isChanged}
          onClick={() => onOpen({ parameter: part.parameter })}
          description={`Edit ${getParameterLabel(part.parameter)}`}
        >
          {content}
        </Token>
      );
    }
    case 'segments': {
      const isChanged = stored !== undefined && stored.find(({ kind }) => kind === 'segments')?.text !== part.text;
      if (!onOpen) return <b className={cx('font-semibold', isChanged && 'text-dirty')}>{part.text}</b>;
      return (
        <Token isChanged={isChanged} onClick={() => onOpen('segments')} description="Edit segments">
          {part.text}
        </Token>
      );
    }
    case 'schedule': {
      const isChanged = stored !== undefined && stored.find(({ kind }) => kind === 'schedule')?.text !== part.text;
      if (!onOpen || part.indexes.some((index) => isEditable?.(index) === false))
        return <b className={cx('font-semibold', isChanged && 'text-dirty')}>{part.text}</b>;
      return (
        <Token
          isChanged={isChanged}
          constraint={part.indexes.map((index) => index + 1).join(' ')}
          onClick={() => onOpen('schedule')}
          description="Edit from / until"
        >
          {part.text}
        </Token>
      );
    }
    case 'constraint': {
      const { constraint, index } = part;
      const isChanged = stored !== undefined && !base?.constraints?.some((one) => jsonEqual(one, constraint));
      if (!onOpen || isEditable?.(index) === false)
        return <ConstraintSentence constraint={constraint} isChanged={isChanged} isExpandable isPlain />;
      return (
        <WordButton
          constraint={index + 1}
          description="Edit constraint"
          onClick={() => onOpen({ constraint: index })}
          className="cursor-pointer rounded-[6px] *:*:hover:border-accent touch:py-3.5"
        >
          <ConstraintSentence
            constraint={constraint}
            isChanged={isChanged}
            isDraft={isChanged || stored === undefined}
          />
        </WordButton>
      );
    }
  }
}

interface TokenProps {
  isChanged?: boolean;
  /** See `WordButton`. */
  constraint?: string;
  /** Effect of the click. */
  description: string;
  onClick: () => void;
  children: ReactNode;
}

function Token({ isChanged = false, children, ...button }: TokenProps) {
  return (
    <WordButton
      {...button}
      className={cx(
        tokenClass(isChanged),
        'relative cursor-pointer hover:border-accent touch:after:absolute touch:after:-inset-y-2.5 touch:after:inset-x-0',
        // A schedule may be longer than a line.
        !button.constraint && 'whitespace-nowrap',
      )}
    >
      {children}
    </WordButton>
  );
}
