import { ResultChip } from '@/domain/evaluation/ResultChip';
import { Card } from '@/ui/Card';
import { ChevronDownIcon, ChevronRightIcon } from '@/ui/icons';
import { LabPanel } from './LabPanel';
import type { Lab, Versions } from './useLab';

interface Props {
  lab: Lab;
  versions: Versions;
}

/** Card that evaluates the toggle for a context. It is collapsed until it is used. */
export function LabCard({ lab, versions }: Props) {
  const result = lab.edited ?? lab.saved;
  const Icon = lab.isOpen ? ChevronDownIcon : ChevronRightIcon;
  return (
    <section aria-labelledby="lab-heading">
      <Card>
        <div className="flex items-center gap-2">
          <h2 id="lab-heading" className="min-w-0 flex-1 font-semibold text-secondary">
            <button
              type="button"
              aria-expanded={lab.isOpen}
              onClick={lab.isOpen ? lab.close : lab.open}
              className="-m-2 flex w-[calc(100%+1rem)] items-center gap-1.5 rounded-control p-2 text-left hover:bg-sunken touch:min-h-touch"
            >
              <Icon size={15} className="shrink-0 text-muted" />
              Try it
            </button>
          </h2>
          {result && <ResultChip result={result} />}
        </div>
        {lab.isOpen ? (
          <div className="pt-3">
            <LabPanel lab={lab} versions={versions} />
          </div>
        ) : (
          <p className="pt-1 text-muted text-secondary">Who gets this toggle, and why</p>
        )}
      </Card>
    </section>
  );
}
