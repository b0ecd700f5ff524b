// Properties that only newer servers send. All are optional, so that a `Toggle` can be read as a `NewerToggle`.
import type { ArchiveResponse, Toggle } from './generated/types';

export interface OtherEnvironment {
  name: string;
  enabled: boolean;
  /** Number of strategies. */
  strategies: number;
}

export type NewerToggle = Toggle & {
  /** False in the list of a newer server: the strategies are unknown, or known without ids, titles and disabled ones. */
  strategiesKnown?: boolean;
  /** State in the environments that are not selected. */
  otherEnvironments?: readonly OtherEnvironment[];
  /** Toggles that depend on this toggle. */
  children?: readonly string[];
};

export type NewerArchive = ArchiveResponse & {
  /** Number of archived toggles, if the list does not contain all. */
  total?: number;
};

export function areStrategiesKnown({ strategiesKnown = true }: NewerToggle): boolean {
  return strategiesKnown;
}
