import { ChangeList } from '@/domain/changes/ChangeList';
import type { ChangeGroup } from '@/domain/changes/describeChanges';
import { Card } from '@/ui/Card';

/** Card with the unsaved changes of the activation. */
export function PendingChangesCard({ changes }: { changes: readonly ChangeGroup[] }) {
  if (changes.length === 0) return null;
  return (
    <section aria-labelledby="changes-heading">
      <Card>
        <h2 id="changes-heading" className="mb-3 font-semibold text-secondary">
          Pending changes
        </h2>
        <ChangeList changes={changes} />
      </Card>
    </section>
  );
}
