import { lazy, Suspense } from 'react';
import { defaultIcon } from '../texts';
import { AppsMark } from './AppsMark';

/** The icons are a font of 125 KB: nothing of it is fetched before an application has one, and a failure draws the default. */
const MaterialIcon = lazy(() =>
  import('./MaterialIcon').then(
    (part) => ({ default: part.MaterialIcon }),
    () => ({ default: AppsMark }),
  ),
);

/** Decoration beside the application's name. */
export function AppIcon({ name }: { name: string | null }) {
  const icon = name?.trim() || defaultIcon;
  return (
    <span
      aria-hidden="true"
      data-icon={icon}
      className="flex size-8 shrink-0 items-center justify-center rounded-control bg-accent-soft text-accent"
    >
      {icon === defaultIcon ? (
        <AppsMark />
      ) : (
        <Suspense fallback={<AppsMark />}>
          <MaterialIcon name={icon} />
        </Suspense>
      )}
    </span>
  );
}
