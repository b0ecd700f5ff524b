// Empty state of the toggle list: explains toggles and offers the first step.

import { useSettings } from '@/api/settings';
import { paths } from '@/paths';
import { LinkButton } from '@/shared/LinkButton';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { AddIcon, OffIcon } from '@/ui/icons';
import { useLoadExamples } from './useLoadExamples';

interface Props {
  createDisabledReason: string | undefined;
  /** Project of a new toggle, if it differs from the stored project. */
  project: string | undefined;
}

export function NoToggles({ createDisabledReason, project }: Props) {
  const canCreate = createDisabledReason === undefined;
  const embedded = useSettings()?.mode === 'embedded';
  const { load, loading } = useLoadExamples();
  const offersExamples = embedded && canCreate;
  return (
    <Card>
      <EmptyState
        icon={<OffIcon size={22} />}
        title="Empty list of feature toggles"
        actions={
          canCreate && (
            <>
              {offersExamples && (
                <Button variant="primary" busy={loading} onClick={load}>
                  Load example toggles
                </Button>
              )}
              <LinkButton
                to={paths.createToggle(undefined, project)}
                variant={offersExamples ? 'secondary' : 'primary'}
                icon={<AddIcon />}
              >
                New toggle
              </LinkButton>
            </>
          )
        }
      >
        <p>
          A toggle controls at run time who gets a feature. Create a toggle, check it by name in your code, and switch
          it here.
        </p>
        {offersExamples && (
          <p className="mt-2">Or explore the console with example toggles, which you can archive at any time.</p>
        )}
        {!canCreate && <p className="mt-2">{createDisabledReason}</p>}
      </EmptyState>
    </Card>
  );
}
