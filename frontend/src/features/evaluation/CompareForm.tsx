import { useEffect, useRef, useState } from 'react';
import { ContextForm } from '@/domain/evaluation/ContextForm';
import type { useComparedContext } from '@/domain/evaluation/labContext';
import { focusFirstField } from '@/lib/requestedFocus';
import { useRestoreFocus } from '@/lib/restoreFocus';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { IconButton } from '@/ui/IconButton';
import { AddIcon, CloseIcon } from '@/ui/icons';

type Comparison = ReturnType<typeof useComparedContext>;

/** Button that adds a second context, and the form of that context. */
export function CompareForm({ comparison }: { comparison: Comparison }) {
  const { compared, start } = comparison;
  // Not for a comparison from a link.
  const [isStartedHere, setStartedHere] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (compared)
    return (
      <ComparedContext
        comparison={comparison}
        compared={compared}
        takesFocus={isStartedHere}
        findButton={() => button.current}
      />
    );
  return (
    <div className="-mt-1">
      <Button
        ref={button}
        size="small"
        icon={<AddIcon size={15} />}
        onClick={() => {
          setStartedHere(true);
          start();
        }}
      >
        Compare with…
      </Button>
    </div>
  );
}

interface ComparedContextProps {
  comparison: Comparison;
  compared: NonNullable<Comparison['compared']>;
  takesFocus: boolean;
  findButton: () => HTMLElement | null;
}

function ComparedContext({ comparison, compared, takesFocus, findButton }: ComparedContextProps) {
  const element = useRef<HTMLElement>(null);
  useRestoreFocus(element, findButton);
  // An effect, because the form is rendered a moment after the click, when the router has changed the URL.
  useEffect(() => {
    if (takesFocus && element.current) focusFirstField(element.current);
  }, [takesFocus]);
  return (
    <section ref={element} aria-label="Compare with">
      <Card>
        <div className="mb-2 flex min-h-6 items-center justify-between gap-2">
          <h2 className="font-semibold text-secondary">Compare with</h2>
          <span className="-my-1.5 -mr-1.5">
            <IconButton label="Stop comparing" icon={<CloseIcon size={17} />} onClick={comparison.stop} />
          </span>
        </div>
        <ContextForm context={compared} onChange={comparison.change} />
      </Card>
    </section>
  );
}
