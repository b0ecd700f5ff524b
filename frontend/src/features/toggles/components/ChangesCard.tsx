import type { ChangeGroup } from '@/lib/describeChanges';
import { Card } from '@/ui/Card';
import { ChangeList } from '@/ui/ChangeList';

/** What saving would do, beside where it is edited. */
export function ChangesCard({ changes }: { changes: readonly ChangeGroup[] }) {
  if (changes.length === 0) return null;
  return (
    <section aria-labelledby="changes-heading">
      <Card>
        <h2 id="changes-heading" className="mb-3 font-semibold text-secondary">
          What this changes
        </h2>
        <ChangeList changes={changes} />
      </Card>
    </section>
  );
}
