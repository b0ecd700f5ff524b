// Client libraries before version 5 of the client specification (October 2023) select other variants.

/** The variant seed of these libraries. */
export const OLD_VARIANT_SEED = 0;

/** First version with the current variant seed, by the name that a library reports. Other libraries are not judged. */
const FIRST_CURRENT_VERSIONS: { readonly [library: string]: readonly number[] } = {
  'unleash-client-dotnet': [4, 0, 0],
  'unleash-client-go': [4, 0, 0],
  'unleash-client-java': [9, 0, 0],
  'unleash-client-node': [5, 0, 0],
  'unleash-client-php': [2, 0, 0],
  'unleash-client-python': [5, 9, 2],
  'unleash-client-ruby': [5, 0, 0],
};

/** Returns whether a library selects variants with the old seed. `sdk` is a name and a version, such as `unleash-client-node:4.2.1`. */
export function hasOldVariantSeed(sdk: string): boolean {
  const [, library = '', version = ''] = /^([\w.-]+):v?(\d+(?:\.\d+)*)/u.exec(sdk) ?? [];
  const first = Object.hasOwn(FIRST_CURRENT_VERSIONS, library) ? FIRST_CURRENT_VERSIONS[library] : undefined;
  return version !== '' && first !== undefined && isBelow(version.split('.').map(Number), first);
}

function isBelow(version: readonly number[], limit: readonly number[]): boolean {
  const at = limit.findIndex((part, index) => part !== (version[index] ?? 0));
  return at >= 0 && (version[at] ?? 0) < (limit[at] ?? 0);
}
