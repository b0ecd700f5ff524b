import type { Toggle } from '@/api/generated/types';
import type { ToggleTab } from '@/paths';
import { Activation } from './Activation';
import { History } from './History';
import { Metrics } from './Metrics';
import { Variants } from './Variants';

interface Props {
  toggle: Toggle;
  tab: ToggleTab;
  /** Why nothing here can be changed; undefined where it can. */
  readOnly: string | undefined;
}

/** What a tab shows of a toggle, be it in use or archived. */
export function TogglePanel({ toggle, tab, readOnly }: Props) {
  switch (tab) {
    case 'strategies':
      return <Activation key={toggle.name} toggle={toggle} readOnly={readOnly} />;
    case 'view':
      return <Metrics toggle={toggle} />;
    case 'variants':
      return <Variants toggle={toggle} readOnly={readOnly} />;
    case 'history':
      return <History toggle={toggle} readOnly={readOnly} />;
  }
}
