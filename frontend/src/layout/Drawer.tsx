import { lazyInIdle } from '@/lib/lazyInIdle';
import { LazyBoundary } from '@/ui/LazyBoundary';
import type { DrawerPopup } from './DrawerPopup';

const Component = lazyInIdle(() => import('./DrawerPopup').then((part) => part.DrawerPopup));

/** The menu on small screens. */
export function Drawer(props: Parameters<typeof DrawerPopup>[0]) {
  return props.open ? (
    <LazyBoundary onLoadError={props.onClose}>
      <Component {...props} />
    </LazyBoundary>
  ) : null;
}
