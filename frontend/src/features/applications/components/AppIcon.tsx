import { MaterialIcon } from '@/ui/MaterialIcon';
import { DEFAULT_ICON } from '../metadata';
import { DefaultAppIcon } from './DefaultAppIcon';

/** Decorative icon of an application. */
export function AppIcon({ name }: { name: string | null }) {
  const icon = name?.trim() || DEFAULT_ICON;
  return (
    <span
      aria-hidden="true"
      data-icon={icon}
      className="flex size-8 shrink-0 items-center justify-center rounded-control bg-accent-soft text-accent"
    >
      {icon === DEFAULT_ICON ? <DefaultAppIcon /> : <MaterialIcon name={icon} fallback={<DefaultAppIcon />} />}
    </span>
  );
}
