import { lazyInIdle } from '@/lib/lazyInIdle';
import { Part } from '@/ui/Part';
import type { DrawerPopup } from './DrawerPopup';

const Component = lazyInIdle(() => import('./DrawerPopup').then((part) => part.DrawerPopup));

/** The menu of small screens. */
export function Drawer(props: Parameters<typeof DrawerPopup>[0]) {
  return props.open ? (
    <Part onFault={props.onClose}>
      <Component {...props} />
    </Part>
  ) : null;
}
