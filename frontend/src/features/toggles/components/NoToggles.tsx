// An empty service: what a toggle is for, and the first step.
import { Plus, ToggleLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useSettings } from '@/api/settings';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import { buttonClass } from '@/ui/buttonClass';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { useExamples } from '../useExamples';

interface Props {
  createDisabledReason: string | undefined;
  /** The project of a new toggle, if it is not the stored one. */
  project: string | undefined;
}

export function NoToggles({ createDisabledReason, project }: Props) {
  const mayCreate = createDisabledReason === undefined;
  const embedded = useSettings()?.mode === 'embedded';
  const { load, loading } = useExamples();
  const offersExamples = embedded && mayCreate;
  return (
    <Card>
      <EmptyState
        icon={<ToggleLeft size={22} strokeWidth={1.75} aria-hidden="true" />}
        title="Empty list of feature toggles"
        actions={
          mayCreate && (
            <>
              {offersExamples && (
                <Button variant="primary" busy={loading} onClick={load}>
                  Load example toggles
                </Button>
              )}
              <Link
                to={paths.createToggle(undefined, project)}
                className={buttonClass({ variant: offersExamples ? 'secondary' : 'primary' })}
              >
                <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
                New toggle
              </Link>
            </>
          )
        }
      >
        <p>
          A toggle decides, while your application runs, who gets a feature. Create one, ask for it by name in your
          code, and switch it here.
        </p>
        {offersExamples && <p className="mt-2">Or look around first: the examples can be archived at any time.</p>}
        {!mayCreate && <p className="mt-2">{createDisabledReason}</p>}
      </EmptyState>
    </Card>
  );
}
