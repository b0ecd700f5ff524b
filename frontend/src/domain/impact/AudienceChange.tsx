import type { Effect, Toggle } from '@/api/generated/types';
import { useSegmentName } from '@/domain/strategies/useSegmentName';
import { describeHalves } from './describeHalves';
import { UNDECIDED } from './effectWords';
import type { Impact } from './estimateImpact';
import { ImpactEstimate } from './ImpactEstimate';

interface Props {
  effect: Effect;
  before: Toggle;
  after: Toggle;
  impact: Impact;
}

/** The effect of a change on who gets the feature: the users that are new and gone, and the calls. */
export function AudienceChange({ effect, before, after, impact }: Props) {
  const segmentName = useSegmentName([...before.strategies, ...after.strategies]);
  const halves = effect === 'neither' ? undefined : describeHalves(before, after, segmentName);
  return (
    <div className="grid gap-1">
      {effect === 'mayWiden' && <p className="text-secondary">{UNDECIDED}</p>}
      {halves && <p className="wrap-anywhere text-secondary">{halves}</p>}
      <ImpactEstimate impact={impact} />
    </div>
  );
}
