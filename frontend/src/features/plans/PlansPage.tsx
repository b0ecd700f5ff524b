import { type ReactNode, useState } from 'react';
import { selectedEnvironment } from '@/api/environment';
import type { NamedText } from '@/api/generated/types';
import { useEnvironmentName } from '@/domain/toggles/confirmSwitch';
import { cx } from '@/lib/cx';
import { userSignal, useStore, useUserKey } from '@/lib/store';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { sections } from '@/paths';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { FailureText } from '@/ui/FailureText';
import { Field } from '@/ui/Field';
import { ReviewIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { Progress } from '@/ui/Progress';
import { TextArea } from '@/ui/TextArea';
import { countWarnings, FileProblems } from './FileProblems';
import { PlanReviewPanel } from './PlanReviewPanel';
import { openPlan } from './planState';
import { FileProblemsError, reviewFiles } from './reviewFiles';

/** Reviews and applies plans and files with toggles. */
export function PlansPage() {
  // Input of one user is not shown to the next.
  return <Plans key={useUserKey()} />;
}

function Plans() {
  const plan = useStore(openPlan);
  const { review, isReading, failure, forgetFailure } = useReview();
  const close = () => {
    forgetFailure();
    openPlan.set(undefined);
  };
  const [isPruning, setPruning] = useState(false);
  // It stays while files are reviewed that were chosen or dropped instead.
  const [text, setText] = useState('');
  useLeaveGuard(text.trim() !== '');
  const start = async (files: Input) => {
    // The choice is for these files only: it must not count for others that are dropped on their review.
    const isOpen = await review(files, isPruning && !plan);
    if (isOpen) setPruning(false);
    return isOpen;
  };
  const reviewText = async () => {
    const isOpen = await start(async () => [{ name: 'The text', text }]);
    if (isOpen) setText((current) => (current === text ? '' : current));
  };
  return (
    <>
      <PageHeader title={sections.plans.label} />
      <DropArea
        onDrop={(files) => void start(files)}
        isDisabled={isReading || (plan && plan.phase !== 'review') === true}
      >
        {plan ? (
          <div className="grid gap-4">
            {isReading && <Progress label="Comparing with the toggles" />}
            {failure && (
              <Card>
                <ReviewFailure failure={failure} />
              </Card>
            )}
            <PlanReviewPanel plan={plan} onClose={close} />
          </div>
        ) : (
          <Input
            onReview={(files) => void start(files)}
            text={text}
            onText={setText}
            onReviewText={() => void reviewText()}
            isPruning={isPruning}
            onPruning={setPruning}
            isReading={isReading}
            failure={failure}
          />
        )}
      </DropArea>
    </>
  );
}

/** The server refuses larger requests, which also contain the toggles. */
const MAX_BYTES = 4_000_000;

type Input = () => Promise<readonly NamedText[]>;

/** Number of reviews that were started. Only the newest one opens a plan: the user can leave the page and start another one. */
let lastReview = 0;

function useReview() {
  const target = useEnvironmentName();
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<Error>();
  /** Resolves with true after the review is open. */
  async function review(input: Input, prune: boolean): Promise<boolean> {
    if (isReading) return false;
    const user = userSignal();
    lastReview += 1;
    const own = lastReview;
    const open = openPlan.get();
    setReading(true);
    setFailure(undefined);
    try {
      const files = await input();
      const environment = selectedEnvironment();
      const reviewed = await reviewFiles(files, { target, prune });
      user.throwIfAborted();
      // The user may have closed the plan on which the files were dropped, or started to apply it.
      if (own !== lastReview || openPlan.get() !== open) return false;
      const progress = { results: new Map(), phase: 'review', problem: undefined } as const;
      openPlan.set({ reviewed, target, environment, ...progress });
      return true;
    } catch (thrown) {
      if (!user.aborted) setFailure(thrown instanceof Error ? thrown : new Error(String(thrown)));
      return false;
    } finally {
      setReading(false);
    }
  }
  return { review, isReading, failure, forgetFailure: () => setFailure(undefined) };
}

/** Reads the texts of files. Browsers report a folder as a file that cannot be read. */
async function readFiles(files: readonly File[]): Promise<NamedText[]> {
  if (files.reduce((sum, { size }) => sum + size, 0) > MAX_BYTES)
    throw new Error('The files are larger than 4 MB. Use fewer files at once, or apply them on the command line.');
  const read = async (file: File) => {
    const text = await file.text().catch(() => {
      throw new Error(`${file.name} could not be read. Choose files, not folders.`);
    });
    return { name: file.name, text };
  };
  return Promise.all(files.map(read));
}

interface DropAreaProps {
  onDrop: (input: Input) => void;
  isDisabled: boolean;
  children: ReactNode;
}

/** Accepts files that are dropped anywhere on it. */
function DropArea({ onDrop, isDisabled, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the file field.
    <div
      className={cx('rounded-card', isOver && 'outline-2 outline-accent outline-dashed outline-offset-2')}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        // The browser would open the file instead of the console.
        event.preventDefault();
        if (isDisabled) event.dataTransfer.dropEffect = 'none';
        setOver(!isDisabled);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        event.preventDefault();
        if (isDisabled) return;
        const files = [...event.dataTransfer.files];
        if (files.length > 0) onDrop(() => readFiles(files));
      }}
    >
      {children}
    </div>
  );
}

interface InputProps {
  onReview: (input: Input) => void;
  text: string;
  onText: (text: string) => void;
  onReviewText: () => void;
  isPruning: boolean;
  onPruning: (next: boolean) => void;
  isReading: boolean;
  failure: Error | undefined;
}

/** Chooses the plan or the files. */
function Input(props: InputProps) {
  const { onReview, text, onText, onReviewText, isPruning, onPruning, isReading, failure } = props;
  return (
    <Card>
      <div className="grid max-w-180 gap-4">
        <p className="text-muted">
          Review files with toggles, or a plan that was saved on the command line. Nothing changes before you apply.
        </p>
        <Checkbox
          label="Archive toggles that the files name no more"
          help="Only toggles that files with the same managedBy have managed until now. The review lists them, and asks before they are archived."
          checked={isPruning}
          onChange={onPruning}
        />
        <Field label="Plan or files" help="YAML or JSON. You can also drop them on this page.">
          {(control) => (
            <input
              {...control}
              type="file"
              multiple
              accept=".json,.yaml,.yml"
              className={FILE}
              onChange={({ currentTarget: input }) => {
                const files = [...(input.files ?? [])];
                // The same file can be chosen again after it was corrected.
                input.value = '';
                if (files.length > 0) onReview(() => readFiles(files));
              }}
            />
          )}
        </Field>
        <TextArea label="Or paste the text" value={text} onChange={onText} spellCheck={false} className={TEXT} />
        <div className="flex flex-wrap items-center gap-3">
          <Button
            variant="primary"
            icon={<ReviewIcon size={17} />}
            busy={isReading}
            disabledReason={text.trim() === '' && !isReading ? 'Choose files, or paste a text.' : undefined}
            onClick={onReviewText}
          >
            Review
          </Button>
          <span role="status" className="text-muted text-secondary">
            {isReading && 'Comparing with the toggles…'}
          </span>
        </div>
        {failure && <ReviewFailure failure={failure} />}
      </div>
    </Card>
  );
}

const TEXT = 'field-sizing-fixed! h-40! whitespace-pre overflow-auto font-mono text-secondary';
const FILE =
  'max-w-full text-secondary file:mr-3 file:h-control-small file:rounded-control file:border file:border-line-strong file:bg-surface file:px-2.5 file:font-semibold file:text-text touch:file:h-touch';

/** The reason why there is no review. */
function ReviewFailure({ failure }: { failure: Error }) {
  if (!(failure instanceof FileProblemsError)) return <FailureText failure={failure} />;
  const { problems, warnings, isStored } = failure;
  const text = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return (
    <div className="grid gap-4">
      <div role="alert" tabIndex={-1} className="text-danger">
        {isStored
          ? 'The plan cannot be applied, because the flag service would refuse the changes. Correct the files, and make a new plan.'
          : 'There is no plan, because the flag service would refuse the changes. Correct the files, and review them again.'}
      </div>
      <FileProblems title={text} problems={problems} />
      {warnings.length > 0 && <FileProblems title={countWarnings(warnings.length)} problems={warnings} />}
    </div>
  );
}
