import { useCapabilities } from '@/api/capabilities';
import { useNewerServer } from '@/api/environment';

/** Sentence of the archive dialogs about environments; nothing on servers without them. */
export function ArchiveScope() {
  const server = useNewerServer();
  const { reviveStaysOff } = useCapabilities();
  if (!server) return null;
  const names = server.environments.map(({ name }) => name);
  return (
    <p className="mt-2">
      Archiving applies to all environments{names.length > 0 && ` (${names.join(', ')})`}.
      {reviveStaysOff && ' A revived toggle is off in every environment.'}
    </p>
  );
}
