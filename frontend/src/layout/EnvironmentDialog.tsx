import { environmentPrompt } from '@/api/environment';
import { cx } from '@/lib/cx';
import { useStore } from '@/lib/store';
import { Dialog } from '@/ui/Dialog';
import { typeColour } from './EnvironmentPicker';

/** Asks which environment to show. All requests wait for the choice, so the dialog cannot be dismissed. */
export function EnvironmentDialog() {
  const prompt = useStore(environmentPrompt.store);
  if (!prompt) return null;
  const { offered, unknown } = prompt.question;
  return (
    <Dialog open={prompt.open} title="Choose an environment">
      <p className="text-muted">
        {unknown !== undefined && (
          <>
            This server has no environment <b className="wrap-anywhere text-text">{unknown}</b>.{' '}
          </>
        )}
        Each environment has its own state of every toggle. You can switch at the top of each page.
      </p>
      <ul className="grid gap-2">
        {offered.map(({ name, type }) => (
          <li key={name}>
            <button type="button" onClick={() => environmentPrompt.answer(name)} className={CHOICE}>
              <span className="wrap-anywhere min-w-0 flex-1 font-semibold">{name}</span>
              {type !== name && (
                <span className={cx('rounded-chip px-2 py-0.5 font-semibold text-label', typeColour(type))}>
                  {type}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      {offered.length === 0 && (
        <p role="alert">No environment is enabled for this project. Enable one in the server’s own console.</p>
      )}
    </Dialog>
  );
}

const CHOICE = cx(
  'flex min-h-control w-full items-center gap-3 rounded-control border border-line px-3 py-2 text-left',
  'transition-colors duration-120 hover:border-line-control hover:bg-sunken touch:min-h-touch',
);
