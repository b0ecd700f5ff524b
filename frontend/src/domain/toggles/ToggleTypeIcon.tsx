import {
  ExperimentIcon,
  type IconComponent,
  KillSwitchIcon,
  OperationalIcon,
  PermissionIcon,
  ReleaseIcon,
  ToggleIcon,
} from '@/ui/icons';

const ICONS = new Map<string, IconComponent>([
  ['release', ReleaseIcon],
  ['experiment', ExperimentIcon],
  ['operational', OperationalIcon],
  ['kill-switch', KillSwitchIcon],
  ['permission', PermissionIcon],
]);

/** Icon of a toggle type. Types that only some servers have share one icon. */
export function ToggleTypeIcon({ type }: { type: string }) {
  const Icon = ICONS.get(type) ?? ToggleIcon;
  return <Icon className="shrink-0" />;
}
