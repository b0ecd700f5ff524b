import { MaterialIcon } from '@/ui/MaterialIcon';
import { DEFAULT_ICON } from './metadata';

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

const POSITIONS = [4, 10, 16];

/** The default icon 'apps' as an SVG, so that the icon font is not loaded for it. */
export function DefaultAppIcon() {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" fill="currentColor" aria-hidden="true">
      {POSITIONS.flatMap((x) => POSITIONS.map((y) => <rect key={`${x} ${y}`} x={x} y={y} width="4" height="4" />))}
    </svg>
  );
}
