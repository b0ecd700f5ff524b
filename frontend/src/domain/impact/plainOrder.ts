// Order of versions and containment of networks that all client libraries read equally. Pure functions.

/** Compares the precedence of two versions (semver.org, section 11). */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map(parseVersion) as [Version, Version];
  const core = a.core.map((number, index) => number - (b.core[index] ?? 0)).find((order) => order !== 0);
  return core ?? comparePreReleases(a.preRelease, b.preRelease);
}

interface Version {
  core: readonly number[];
  preRelease: readonly string[];
}

function parseVersion(text: string): Version {
  const [version = ''] = text.trim().split('+');
  const at = version.indexOf('-');
  const core = (at < 0 ? version : version.slice(0, at)).split('.').map(Number);
  return { core, preRelease: at < 0 ? [] : version.slice(at + 1).split('.') };
}

function comparePreReleases(one: readonly string[], other: readonly string[]): number {
  // A release is greater than its pre-releases.
  if (one.length === 0 || other.length === 0) return other.length - one.length;
  for (const [index, identifier] of one.entries()) {
    const wanted = other[index];
    if (wanted === undefined) return 1;
    const order = compareIdentifiers(identifier, wanted);
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

function compareIdentifiers(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [one, other].map((text) => /^\d+$/.test(text));
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  // Without leading zeros, the longer number is the greater one.
  if (isNumber && one.length !== other.length) return one.length - other.length;
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Returns whether an IPv4 network or address is within another one. */
export function isNetworkWithin(network: string, other: string): boolean {
  const [{ bits, length }, wanted] = [parseNetwork(network), parseNetwork(other)];
  return length >= wanted.length && bits.slice(0, wanted.length) === wanted.bits.slice(0, wanted.length);
}

function parseNetwork(text: string): { bits: string; length: number } {
  const [address = '', length = '32'] = text.split('/');
  const bits = address.split('.').map((octet) => Number(octet).toString(2).padStart(8, '0'));
  return { bits: bits.join(''), length: Number(length) };
}
