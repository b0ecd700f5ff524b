import { Monitor, Moon, Sun } from 'lucide-react';
import { chooseTheme, type Theme, useTheme } from '@/lib/theme';
import { Menu } from '@/ui/Menu';
import { Select } from '@/ui/Select';

const THEMES: readonly { value: Theme; label: string; Icon: typeof Sun }[] = [
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
  { value: 'system', label: 'System', Icon: Monitor },
];

export function ThemeMenu() {
  const theme = useTheme();
  const { Icon } = THEMES.find(({ value }) => value === theme) ?? { Icon: Monitor };
  return (
    <Menu
      label="Theme"
      trigger={{ icon: <Icon size={17} strokeWidth={1.75} aria-hidden="true" /> }}
      items={THEMES.map(({ value, label, Icon: Sign }) => ({
        id: value,
        label,
        icon: <Sign size={16} strokeWidth={1.75} aria-hidden="true" />,
        checked: value === theme,
        onSelect: () => chooseTheme(value),
      }))}
    />
  );
}

export function ThemeSelect() {
  return <Select label="Theme" value={useTheme()} options={THEMES} onChange={chooseTheme} />;
}
