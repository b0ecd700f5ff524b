import type { ReactNode } from 'react';
import { useSettings } from '@/api/settings';
import { sections } from '@/paths';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { PermissionIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';

/** Shows its content, or a note if an upstream manages the tokens. */
export function EmbeddedOnly({ children }: { children: ReactNode }) {
  const settings = useSettings();
  if (settings === undefined) return null;
  if (settings.mode === 'embedded') return children;
  return (
    <>
      <PageHeader title={sections.apiTokens.label} />
      <Card>
        <EmptyState icon={<PermissionIcon size={20} />} title="The flag service manages its tokens itself">
          Requests are forwarded to {settings.upstream}, which accepts its own tokens only. Create them there.
        </EmptyState>
      </Card>
    </>
  );
}
