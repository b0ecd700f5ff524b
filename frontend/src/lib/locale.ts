import { readStored, writeStored } from './storage';
import { createStore, useStore } from './store';

const STORAGE_KEY = 'flagdeck:locale';

interface LocaleChoice {
  code: string;
  /** In the language itself. */
  name: string;
}

const LISTED: readonly LocaleChoice[] = [
  { code: 'en-US', name: 'English (United States)' },
  { code: 'en-GB', name: 'English (United Kingdom)' },
  { code: 'nb-NO', name: 'Norsk bokmål' },
  { code: 'sv-SE', name: 'Svenska' },
  { code: 'da-DK', name: 'Dansk' },
  { code: 'en-IN', name: 'English (India)' },
  { code: 'de', name: 'Deutsch' },
  { code: 'cs', name: 'Čeština' },
  { code: 'pt-BR', name: 'Português (Brasil)' },
  { code: 'fr-FR', name: 'Français' },
];

/** Returns the locales of the picker: the listed ones, plus the browser's own if it is not listed. */
export function localeChoices(browserLocale: string): readonly LocaleChoice[] {
  if (LISTED.some(({ code }) => code === browserLocale)) return LISTED;
  const name = new Intl.DisplayNames(browserLocale, { type: 'language' }).of(browserLocale) ?? browserLocale;
  return [...LISTED, { code: browserLocale, name }];
}

/** Returns the tag, or the console's own language if the tag is not one: with `LANG=C`, WebKit reports `C`. */
export function validLocale(tag: string | undefined): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? 'en-US';
  } catch {
    return 'en-US';
  }
}

export const browserLocale = validLocale(globalThis.navigator?.language);

function initialLocale(): string {
  const stored = readStored(STORAGE_KEY);
  return localeChoices(browserLocale).some(({ code }) => code === stored) ? String(stored) : browserLocale;
}

const locale = createStore(initialLocale());

export function useLocale(): string {
  return useStore(locale);
}

export function chooseLocale(code: string): void {
  writeStored(STORAGE_KEY, code);
  locale.set(code);
}
