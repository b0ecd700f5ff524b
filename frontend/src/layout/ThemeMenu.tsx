import { chooseTheme, type Theme, useTheme } from '@/lib/theme';
import { DarkThemeIcon, LightThemeIcon, SystemThemeIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { Select } from '@/ui/Select';

const THEMES: readonly { value: Theme; label: string; Icon: typeof LightThemeIcon }[] = [
  { value: 'light', label: 'Light', Icon: LightThemeIcon },
  { value: 'dark', label: 'Dark', Icon: DarkThemeIcon },
  { value: 'system', label: 'System', Icon: SystemThemeIcon },
];

export function ThemeMenu() {
  const theme = useTheme();
  const { Icon } = THEMES.find(({ value }) => value === theme) ?? { Icon: SystemThemeIcon };
  return (
    <Menu
      label="Theme"
      trigger={{ icon: <Icon size={17} /> }}
      items={THEMES.map(({ value, label, Icon: Sign }) => ({
        id: value,
        label,
        icon: <Sign />,
        checked: value === theme,
        onSelect: () => chooseTheme(value),
      }))}
    />
  );
}

export function ThemeSelect() {
  return <Select label="Theme" value={useTheme()} options={THEMES} onChange={chooseTheme} />;
}
