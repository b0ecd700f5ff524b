import { Suspense } from 'react';
import { lazyInIdle } from '@/lib/lazyInIdle';
import type { DrawerPopup } from './DrawerPopup';

const Component = lazyInIdle(() => import('./DrawerPopup').then((part) => part.DrawerPopup));

/** The menu of small screens. */
export function Drawer(props: Parameters<typeof DrawerPopup>[0]) {
  return props.open ? (
    <Suspense>
      <Component {...props} />
    </Suspense>
  ) : null;
}
