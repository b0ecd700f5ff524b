import type { ReactNode } from 'react';
import type { Toggle } from '@/api/generated/types';
import { ChangeList } from '@/domain/changes/ChangeList';
import type { ChangeGroup } from '@/domain/changes/describeChanges';
import { AudienceChange } from '@/domain/impact/AudienceChange';
import { EffectChip } from '@/domain/impact/EffectChip';
import type { Effect } from '@/domain/impact/effect';
import type { Impact } from '@/domain/impact/estimateImpact';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';

interface Props {
  open: boolean;
  before: Toggle;
  after: Toggle;
  changes: readonly ChangeGroup[];
  effect: Effect;
  impact: Impact;
  saveDisabledReason: string | undefined;
  onSave: () => void;
  onClose: () => void;
}

/** Dialog that shows unsaved changes and their impact before saving. */
export function ReviewDialog(props: Props) {
  const { open, before, after, changes, effect, impact, saveDisabledReason, onSave, onClose } = props;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Review changes"
      actions={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button variant="unsaved" disabledReason={saveDisabledReason} onClick={onSave}>
            Save all
          </Button>
        </>
      }
    >
      <Section title="Changes">
        <ChangeList changes={changes} />
      </Section>
      <Section title="Impact">
        <p className="mb-1.5">
          <EffectChip effect={effect} />
        </p>
        <AudienceChange effect={effect} before={before} after={after} impact={impact} />
      </Section>
    </Dialog>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="mb-1.5 font-semibold text-secondary">{title}</h3>
      {children}
    </section>
  );
}
