// Versions of client libraries, which applications report as a name and a version, such as `unleash-client-node:4.2.1`.

/** First versions with a feature, by the name that a library reports. Other libraries are not judged. */
export type FirstVersions = { readonly [library: string]: readonly number[] };

/** Returns whether a library is older than the first version with a feature. */
export function isOlderSdk(sdk: string, firstVersions: FirstVersions): boolean {
  const [, library = '', version = ''] = /^([\w.-]+):v?(\d+(?:\.\d+)*)/u.exec(sdk) ?? [];
  const first = Object.hasOwn(firstVersions, library) ? firstVersions[library] : undefined;
  return version !== '' && first !== undefined && isBelow(version.split('.').map(Number), first);
}

function isBelow(version: readonly number[], limit: readonly number[]): boolean {
  const at = limit.findIndex((part, index) => part !== (version[index] ?? 0));
  return at >= 0 && (version[at] ?? 0) < (limit[at] ?? 0);
}
