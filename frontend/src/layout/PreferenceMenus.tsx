import { browserLocale, chooseLocale, localeChoices, useLocale } from '@/lib/locale';
import { chooseTheme, type Theme, useTheme } from '@/lib/theme';
import { LocaleIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { Select } from '@/ui/Select';

const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'System' },
];

export function ThemeSelect() {
  return <Select label="Theme" value={useTheme()} options={THEMES} onChange={chooseTheme} />;
}

function useChoices() {
  return { locale: useLocale(), choices: localeChoices(browserLocale) };
}

export function LocaleMenu() {
  const { locale, choices } = useChoices();
  return (
    <Menu
      label="Date and number format"
      trigger={{ icon: <LocaleIcon size={17} /> }}
      items={choices.map(({ code, name }) => ({
        id: code,
        label: name,
        checked: code === locale,
        onSelect: () => chooseLocale(code),
      }))}
    />
  );
}

export function LocaleSelect() {
  const { locale, choices } = useChoices();
  return (
    <Select
      label="Date and number format"
      value={locale}
      options={choices.map(({ code, name }) => ({ value: code, label: name }))}
      onChange={chooseLocale}
    />
  );
}
