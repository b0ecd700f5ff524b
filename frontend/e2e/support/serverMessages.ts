// Messages of the flag service that differ between its versions.

import { NEWER_VERSIONS, type Version } from './versions';

interface Messages {
  /** The name of a new toggle is taken. */
  nameTaken: RegExp;
  nameTakenInArchive: RegExp;
  /** A tag has fewer than two characters. */
  tagTooShort: RegExp;
}

const DEFAULT: Messages = {
  nameTaken: /A toggle with that name already exists/,
  nameTakenInArchive: /An archived toggle with that name already exists/,
  tagTooShort: /length must be at least 2 characters long/,
};

/** Does not distinguish names of archived toggles. */
const V4_2: Messages = { ...DEFAULT, nameTakenInArchive: DEFAULT.nameTaken };

const FROM_6: Messages = {
  nameTaken: /A flag with that name already exists/,
  nameTakenInArchive: /An archived flag with that name already exists/,
  tagTooShort: /property must (match pattern|NOT have fewer than 2) .*You sent "x"/,
};

export function messagesOf(version: Version): Messages {
  if (version === '4.2.2') return V4_2;
  return NEWER_VERSIONS.indexOf(version as never) >= NEWER_VERSIONS.indexOf('6.10.1') ? FROM_6 : DEFAULT;
}

/** The part of a confirmation that names the toggles with a tag. */
export function toggleWithTag(name: string, version: Version): string {
  return version === '3.10.1' ? 'Servers before 3.11 cannot list the toggles with a tag.' : name;
}
