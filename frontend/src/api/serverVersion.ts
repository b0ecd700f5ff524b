import { uiConfig } from './endpoints';
import type { UiConfig } from './generated/types';
import { useRead } from './hooks';

/** The server's version; undefined if it is not known. */
export function useServerVersion(): string | undefined {
  const { data } = useRead(uiConfig);
  return data && versionFromConfig(data);
}

export function versionFromConfig({ version, versionInfo }: UiConfig): string | undefined {
  const { oss, enterprise } = versionInfo?.current ?? {};
  return enterprise || oss || version || undefined;
}

/** False if the version is not known. */
export function isAtLeastMajor(version: string | undefined, major: number): boolean {
  return Number.parseInt(version ?? '', 10) >= major;
}
