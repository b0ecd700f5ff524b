import { uiConfig } from './endpoints';
import type { UiConfig } from './generated/types';
import { useRead } from './hooks';

/** What the server calls itself; undefined where it does not tell. */
export function useServerVersion(): string | undefined {
  const { data } = useRead(uiConfig);
  return data && versionFromConfig(data);
}

export function versionFromConfig({ version, versionInfo }: UiConfig): string | undefined {
  const { oss, enterprise } = versionInfo?.current ?? {};
  return enterprise || oss || version || undefined;
}

/** False as well for one that does not tell. */
export function isAtLeastMajor(version: string | undefined, major: number): boolean {
  return Number.parseInt(version ?? '', 10) >= major;
}
