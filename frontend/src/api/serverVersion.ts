import { uiConfig } from './endpoints';
import type { UiConfig } from './generated/types';
import { useRead } from './hooks';

/** The server's version; undefined if it is not known. */
export function useServerVersion(): string | undefined {
  const { data } = useRead(uiConfig);
  return data && versionFromConfig(data);
}

export function useIsVersionLoading(): boolean {
  return useRead(uiConfig).isLoading;
}

export function versionFromConfig({ version, versionInfo }: UiConfig): string | undefined {
  const { oss, enterprise } = versionInfo?.current ?? {};
  return enterprise || oss || version || undefined;
}

/** False if the version is not known. */
export function isAtLeastMajor(version: string | undefined, major: number): boolean {
  return Number.parseInt(version ?? '', 10) >= major;
}

/** True for versions 3.0 to 3.`minor`, exclusive. */
export function isVersion3Before(minor: number, version: string | undefined): boolean {
  const [, found] = /^3\.(\d+)\./u.exec(version ?? '') ?? [];
  return Number(found) < minor;
}

/** True for 4.x, which orders the strategies of a toggle by the number that each has. */
export function numbersStrategies(version: string | undefined): boolean {
  return version?.startsWith('4.') ?? false;
}
