import type { Toggle } from '@/api/generated/types';
import { paths } from '@/paths';
import { ToggleSwitch } from '../list/ToggleSwitch';
import { OFF_REASON, SdkPage } from './SdkPage';
import { SdkToggleRows } from './SdkToggleRows';

/** The toggle list in an outage: each switch holds its toggle. */
export function SdkToggleList() {
  return (
    <SdkPage>
      {({ features }) => <SdkToggleRows toggles={features} href={paths.toggle} control={renderSwitch} />}
    </SdkPage>
  );
}

const renderSwitch = (toggle: Toggle) => <ToggleSwitch toggle={toggle} disabledReason={OFF_REASON} />;
