import { type ChangeEvent, type ClipboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { context as contextFields } from '@/api/endpoints';
import { useRead } from '@/api/useRead';
import { getLabFields } from '@/domain/evaluation/ContextForm';
import { userSignal, useStore } from '@/lib/store';
import { useLeaveGuard } from '@/lib/useLeaveGuard';
import { Button } from '@/ui/Button';
import { Count } from '@/ui/Count';
import { Dialog } from '@/ui/Dialog';
import { FailureText } from '@/ui/FailureText';
import { Field } from '@/ui/Field';
import { SegmentedField } from '@/ui/SegmentedControl';
import { SelectField } from '@/ui/Select';
import { TextArea } from '@/ui/TextArea';
import { keepPopulation, lastPopulation } from './labState';
import { PopulationResults } from './PopulationResults';
import { looksLikeCsv, PopulationError, type PopulationText, parsePopulation } from './parsePopulation';
import type { ToggleVersions } from './useLab';

/** Results of the toggle for many contexts. */
export function PopulationSection({ versions, onRemove }: { versions: ToggleVersions; onRemove: () => void }) {
  const population = useStore(lastPopulation);
  const [isAdding, setAdding] = useState(false);
  const remove = () => {
    onRemove();
    lastPopulation.set(undefined);
  };
  return (
    <>
      <p className="wrap-anywhere text-muted text-secondary">
        {population ? (
          <>
            <Count value={population.contexts.length} noun="context" />: {population.fields.join(', ')}
          </>
        ) : (
          'Compare up to 20 users side by side, or count the results of a longer list or a CSV.'
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => setAdding(true)}>
          {population ? 'Replace users' : 'Add users'}
        </Button>
        {population && (
          <Button size="small" variant="ghost" onClick={remove}>
            Remove
          </Button>
        )}
      </div>
      {population && <PopulationResults key={population.number} versions={versions} />}
      <PopulationDialog open={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}

interface PopulationDialogProps {
  open: boolean;
  onClose: () => void;
}

type Format = PopulationText['format'];
const FORMATS: readonly { value: Format; label: string }[] = [
  { value: 'list', label: 'List' },
  { value: 'csv', label: 'CSV' },
];

const HELP: { readonly [format in Format]: string } = {
  list: 'One value per line, up to 10,000.',
  csv: 'A header row with the names of context fields, then up to 10,000 rows. Empty values are missing fields.',
};

/** The server refuses larger requests. */
const MAX_FILE_BYTES = 8_000_000;

/** Dialog for the contexts to evaluate at once: pasted text or a file. */
function PopulationDialog({ open, onClose }: PopulationDialogProps) {
  const [format, setFormat] = useState<Format>('list');
  const [field, setField] = useState('userId');
  const [text, setText] = useState('');
  const [isLong, setLong] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const [isReading, setReading] = useState(false);
  const reading = useRef<AbortController>(undefined);
  const [isDetected, setDetected] = useState(false);
  const { main, more } = getLabFields(useRead(contextFields).data ?? [], [], {});
  const options = [...main, ...more].map(({ name }) => ({ value: name, label: name }));

  function setPasted(next: string) {
    type(next);
    setLong(next.length > MAX_SHOWN_LENGTH);
  }

  function type(next: string) {
    setText(next);
    // Only once: the user may choose the list again.
    if (format === 'list' && !isDetected && looksLikeCsv(next)) {
      setFormat('csv');
      setDetected(true);
    }
  }

  function paste(event: ClipboardEvent) {
    const pasted = event.clipboardData.getData('text/plain');
    if (pasted.length <= MAX_SHOWN_LENGTH) return;
    event.preventDefault();
    setPasted(text.trim() === '' ? pasted : `${text}\n${pasted}`);
  }

  // The text stays while the dialog is closed, but only the open one is about to be used.
  useLeaveGuard(open && text.trim() !== '');

  async function evaluate(read: () => Promise<PopulationText>) {
    const user = userSignal();
    const own = new AbortController();
    reading.current = own;
    const focused = document.activeElement;
    // The next user must not see the contexts, and a cancelled dialog adds none.
    const isCancelled = () => user.aborted || own.signal.aborted;
    /** Enables the fields again: those that were disabled have lost the focus. */
    const end = () => {
      flushSync(() => setReading(false));
      if (document.activeElement === document.body && focused instanceof HTMLElement) focused.focus();
    };
    setReading(true);
    setFailure(undefined);
    try {
      const population = await parsePopulation(await read());
      if (isCancelled()) return;
      keepPopulation(population);
      setPasted('');
      onClose();
    } catch (thrown) {
      if (isCancelled()) return;
      if (!(thrown instanceof PopulationError)) throw thrown;
      setFailure(thrown);
    } finally {
      if (!own.signal.aborted) end();
    }
  }

  function cancel() {
    reading.current?.abort();
    setReading(false);
    onClose();
  }

  async function readFile({ currentTarget: input }: ChangeEvent<HTMLInputElement>) {
    const [file] = input.files ?? [];
    if (!file) return;
    const isCsv = file.name.toLowerCase().endsWith('.csv');
    if (isCsv) setFormat('csv');
    if (file.size > MAX_FILE_BYTES) setFailure(new PopulationError(`${file.name} is larger than 8 MB.`));
    else await evaluate(async () => ({ format: isCsv ? 'csv' : format, field, text: await file.text() }));
    // The same file can be chosen again after it was corrected.
    input.value = '';
  }

  return (
    <Dialog
      open={open}
      onClose={cancel}
      title="Compare users"
      actions={
        <>
          <Button onClick={cancel}>Cancel</Button>
          <Button
            variant="primary"
            busy={isReading}
            disabledReason={text.trim() === '' ? 'Paste a list, or choose a file.' : undefined}
            onClick={() => void evaluate(async () => ({ format, field, text }))}
          >
            Evaluate
          </Button>
        </>
      }
    >
      <fieldset disabled={isReading} className="grid min-w-0 gap-4">
        {isLong ? (
          <div className="flex flex-wrap items-center gap-3 text-secondary">
            <p>
              <Count value={text.split(LINE_BREAK).length} noun="line" /> pasted, too many to show.
            </p>
            <Button size="small" onClick={() => setPasted('')}>
              Discard
            </Button>
          </div>
        ) : (
          <TextArea
            label="Contexts"
            help={HELP[format]}
            value={text}
            onChange={type}
            onPaste={paste}
            className={TEXT}
          />
        )}
        <div className="flex flex-wrap gap-4">
          <SegmentedField label="Format" value={format} options={FORMATS} onChange={setFormat} />
          {format === 'list' && (
            <SelectField label="Context field" value={field} options={options} onChange={setField} />
          )}
        </div>
        <p role="status" className="text-muted text-secondary empty:hidden">
          {isDetected && format === 'csv' && 'Read as CSV, because the first line has the names of columns.'}
        </p>
        <Field label="Or choose a file">
          {(control) => (
            <input
              {...control}
              type="file"
              accept=".csv,.txt,text/*"
              className={FILE}
              onChange={(event) => void readFile(event)}
            />
          )}
        </Field>
      </fieldset>
      {failure && <FailureText failure={failure} className="whitespace-pre-line text-secondary" />}
      <p className="text-muted text-secondary">The contexts stay in this page and are not stored.</p>
    </Dialog>
  );
}

/** A longer text is not shown: a text field with 10,000 lines takes a second. */
const MAX_SHOWN_LENGTH = 2000;
const LINE_BREAK = /\r\n|\r|\n/u;

const TEXT = 'field-sizing-fixed! h-40! whitespace-pre overflow-auto font-mono text-secondary';
const FILE =
  'text-secondary file:mr-3 file:h-control-small file:rounded-control file:border file:border-line-strong file:bg-surface file:px-2.5 file:font-semibold file:text-text touch:file:h-touch';
