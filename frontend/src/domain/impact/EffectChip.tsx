import type { Effect } from '@/api/generated/types';
import { capitalise } from '@/lib/text';
import { Chip } from '@/ui/Chip';
import { ChangesIcon, type IconComponent, NarrowsIcon, NoEffectIcon, WidensIcon } from '@/ui/icons';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { mayWiden } from './effect';
import { EFFECT_WORDS, UNDECIDED } from './effectWords';

const LOOKS: { readonly [effect in Effect]: { icon: IconComponent; short: string } } = {
  widens: { icon: WidensIcon, short: 'Widens' },
  mayWiden: { icon: WidensIcon, short: 'May widen' },
  changes: { icon: ChangesIcon, short: 'Changes' },
  narrows: { icon: NarrowsIcon, short: 'Narrows' },
  neither: { icon: NoEffectIcon, short: 'No effect' },
};

interface Props {
  effect: Effect;
  /** Shows one word, and the others in a tooltip. */
  isShort?: boolean;
}

/** Effect of a change on who gets the feature. Amber if it may give the feature to somebody for the first time. */
export function EffectChip({ effect, isShort = false }: Props) {
  const { icon: Icon, short } = LOOKS[effect];
  const words = capitalise(EFFECT_WORDS[effect]);
  const tip = effect === 'mayWiden' ? `${words}. ${UNDECIDED}` : words;
  return (
    <span data-tip={isShort ? tip : undefined} className="inline-flex max-w-full">
      <Chip tone={mayWiden(effect) ? 'warn' : 'neutral'} icon={<Icon size={13} className="shrink-0" />}>
        {isShort ? (
          <>
            <span aria-hidden="true">{short}</span>
            <VisuallyHidden>{tip}</VisuallyHidden>
          </>
        ) : (
          words
        )}
      </Chip>
    </span>
  );
}
