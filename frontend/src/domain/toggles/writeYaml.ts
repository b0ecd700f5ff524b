// Writes toggles in the format of files. The server does it, so that there is one writer of the format.
import { currentCapabilities } from '@/api/capabilities';
import { read, write } from '@/api/client';
import { segments, writeFile } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';

/** Returns toggles as YAML. With `hasState`, the file owns whether toggles are on or stale, and percentages. */
export async function writeYaml(toggles: readonly Toggle[], { hasState }: { hasState: boolean }): Promise<string> {
  // Files name segments, because ids differ between servers.
  const hasSegments = toggles.some(({ strategies }) => strategies.some((one) => (one.segments?.length ?? 0) > 0));
  const listed = hasSegments && currentCapabilities().managesSegments ? await read(segments) : undefined;
  const body = { toggles: [...toggles], segments: listed?.segments ?? [], state: hasState };
  return (await write(writeFile, body))?.yaml ?? '';
}
