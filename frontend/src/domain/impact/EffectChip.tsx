import { capitalise } from '@/lib/text';
import { Chip } from '@/ui/Chip';
import { type IconComponent, NarrowsIcon, NoEffectIcon, WidensIcon } from '@/ui/icons';
import { VisuallyHidden } from '@/ui/VisuallyHidden';
import { EFFECT_WORDS, type Effect } from './effect';

const LOOKS: { readonly [effect in Effect]: { icon: IconComponent; short: string; tone: 'accent' | 'neutral' } } = {
  widens: { icon: WidensIcon, short: 'Widens', tone: 'accent' },
  narrows: { icon: NarrowsIcon, short: 'Narrows', tone: 'neutral' },
  neither: { icon: NoEffectIcon, short: 'No effect', tone: 'neutral' },
};

interface Props {
  effect: Effect;
  /** Shows one word, and the others in a tooltip. */
  isShort?: boolean;
}

/** Whether a change widens or narrows who gets the feature, or does not change it. */
export function EffectChip({ effect, isShort = false }: Props) {
  const { icon: Icon, short, tone } = LOOKS[effect];
  const words = capitalise(EFFECT_WORDS[effect]);
  return (
    <span data-tip={isShort ? words : undefined} className="inline-flex max-w-full">
      <Chip tone={tone} icon={<Icon size={13} className="shrink-0" />}>
        {isShort ? (
          <>
            <span aria-hidden="true">{short}</span>
            <VisuallyHidden>{words}</VisuallyHidden>
          </>
        ) : (
          words
        )}
      </Chip>
    </span>
  );
}
