import { MaterialIcon } from '@/ui/MaterialIcon';
import { defaultIcon } from '../texts';
import { AppsMark } from './AppsMark';

/** Decoration beside the application's name. */
export function AppIcon({ name }: { name: string | null }) {
  const icon = name?.trim() || defaultIcon;
  return (
    <span
      aria-hidden="true"
      data-icon={icon}
      className="flex size-8 shrink-0 items-center justify-center rounded-control bg-accent-soft text-accent"
    >
      {icon === defaultIcon ? <AppsMark /> : <MaterialIcon name={icon} fallback={<AppsMark />} />}
    </span>
  );
}
