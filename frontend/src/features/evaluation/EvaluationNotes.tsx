import { useCapabilities } from '@/api/capabilities';
import { VariantHashNote } from '@/domain/evaluation/VariantHashNote';
import type { useEvaluatedToggles } from './useEvaluatedToggles';

type Props = Pick<ReturnType<typeof useEvaluatedToggles>, 'variants' | 'problem'>;

/** Limits of the results. */
export function EvaluationNotes({ variants, problem }: Props) {
  const { listsVariants } = useCapabilities();
  return (
    <>
      {!listsVariants && (
        <p role="note" className={NOTE}>
          Variants and dependencies of this server are not evaluated here, because its list of toggles contains neither:
          a toggle that is on here can be off because of a parent toggle. Open a toggle for its complete result.
        </p>
      )}
      {problem !== undefined && (
        <p role="alert" className={NOTE}>
          {problem}
        </p>
      )}
      {variants.isUsed && <VariantHashNote apps={variants.apps} />}
    </>
  );
}

const NOTE = 'rounded-control bg-sunken px-4 py-2 text-muted text-secondary';
