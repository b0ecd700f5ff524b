import { strategies } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { useRead } from '@/api/useRead';
import { RuleList } from '../activation/Activation';
import { LabCard } from '../lab/LabCard';
import { ResultsContext } from '../lab/reasons';
import { useLab } from '../lab/useLab';

/** The rules of a toggle as SDKs get it, and the lab. */
export function ReadOnlyActivation({ toggle }: { toggle: Toggle }) {
  const definitions = useRead(strategies).data?.strategies;
  const versions = { saved: toggle, edited: toggle };
  const lab = useLab(versions);
  return (
    <ResultsContext value={lab}>
      <div className="grid items-start gap-x-6 gap-y-4 lg:grid-cols-[minmax(0,1fr)_300px]">
        <section aria-labelledby="activation-heading" className="grid min-w-0 gap-3">
          <h2 id="activation-heading" className="sr-only">
            Activation strategies
          </h2>
          <RuleList toggle={toggle} definitions={definitions} />
        </section>
        <LabCard lab={lab} versions={versions} />
      </div>
    </ResultsContext>
  );
}
