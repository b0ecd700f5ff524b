// Toggles in the format of files, for `flagdeck plan`. The server writes them, so that there is one writer of the format.
import { currentCapabilities } from '@/api/capabilities';
import { read } from '@/api/client';
import { feature } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { writeYaml } from '@/domain/toggles/writeYaml';
import { forEachConcurrent } from '@/lib/forEachConcurrent';

/** Browsers open at most six connections to a server. */
const MAX_CONCURRENT = 6;

/** Returns toggles as YAML. */
export async function toYaml(toggles: readonly Toggle[]): Promise<string> {
  const { listsOrderedStrategies, listsVariants } = currentCapabilities();
  const complete = listsOrderedStrategies && listsVariants ? toggles : await readAll(toggles);
  return writeYaml(complete, { hasState: false });
}

async function readAll(toggles: readonly Toggle[]): Promise<readonly Toggle[]> {
  const complete: Toggle[] = [];
  const failures: unknown[] = [];
  const readOne = ({ name }: Toggle) =>
    read(feature(name)).then(
      (toggle) => void complete.push(toggle),
      (failure: unknown) => void failures.push(failure),
    );
  await forEachConcurrent(toggles, readOne, { limit: MAX_CONCURRENT, isStopped: () => failures.length > 0 });
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  return complete;
}
