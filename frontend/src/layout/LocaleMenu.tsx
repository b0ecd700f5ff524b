import { browserLocale, chooseLocale, localeChoices, useLocale } from '@/lib/locale';
import { LocaleIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { Select } from '@/ui/Select';

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
