import { ContextForm } from '@/domain/evaluation/ContextForm';
import { useLabContext } from '@/domain/evaluation/labContext';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { LinkButton } from '@/shared/LinkButton';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { ExperimentIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { CopyResults } from './CopyResults';
import { EvaluationFilterBar } from './EvaluationFilterBar';
import { EvaluationNotes } from './EvaluationNotes';
import { ResultTable } from './ResultTable';
import { getColumns } from './resultColumns';
import { useEvaluatedToggles } from './useEvaluatedToggles';
import { useEvaluationFilters } from './useEvaluationFilters';
import { useResultRows } from './useResultRows';

/** Page that evaluates all toggles for one context. */
export function EvaluationPage() {
  const [context, changeContext] = useLabContext();
  const evaluation = useEvaluatedToggles(context);
  const search = useEvaluationFilters();
  const { rows, counts } = useResultRows(evaluation, search);
  const columns = getColumns({ hasVariants: evaluation.variants.isUsed });
  const { toggles, error } = evaluation;
  return (
    <>
      <PageHeader
        title={sections.evaluation.label}
        breadcrumb={<Breadcrumb within={sections.toggles} here={sections.evaluation.label} />}
        actions={rows && rows.length > 0 && <CopyResults rows={rows} columns={columns} />}
      />
      <div className="grid gap-4">
        <Card>
          <ContextForm context={context} onChange={changeContext} />
        </Card>
        <EvaluationNotes {...evaluation} />
        {error && <ErrorPanel title="The toggles could not be evaluated" error={error} onRetry={evaluation.retry} />}
        {!error && toggles?.length === 0 && (
          <Card>
            <EmptyState
              icon={<ExperimentIcon size={20} />}
              title="No toggles to evaluate"
              actions={<LinkButton to={paths.toggles()}>Feature toggles</LinkButton>}
            >
              When there are toggles, this page shows which of them are on for a user, and why.
            </EmptyState>
          </Card>
        )}
        {!error && toggles?.length !== 0 && (
          <div className="grid gap-3 max-sm:gap-2.5">
            <EvaluationFilterBar {...search} counts={counts} shown={rows?.length} total={toggles?.length} />
            {search.tagError && !rows ? (
              <ErrorPanel
                title="The toggles with this tag could not be loaded"
                error={search.tagError}
                onRetry={search.reloadTag}
              />
            ) : (
              <ResultTable
                rows={rows}
                columns={columns}
                total={toggles?.length ?? 0}
                busy={evaluation.isRunning}
                onClearFilters={search.clear}
              />
            )}
          </div>
        )}
      </div>
    </>
  );
}
