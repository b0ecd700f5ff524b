import { useServerVersion } from '@/api/serverVersion';

/** On servers that count calls in another way: without it, rings without data would look like toggles without use. */
export function NoCounts() {
  const version = useServerVersion();
  return (
    <p role="note" className="rounded-control bg-warn-soft px-4 py-2.5 text-warn">
      This server{version && ` (version ${version})`} does not count calls in a way that this console can read, so that
      the rings stay empty. Everything else works.
    </p>
  );
}
