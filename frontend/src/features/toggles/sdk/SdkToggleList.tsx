import type { Toggle } from '@/api/generated/types';
import { ALREADY_OFF } from '@/domain/holds/holds';
import { paths } from '@/paths';
import { ToggleSwitch } from '../list/ToggleSwitch';
import { SdkPage } from './SdkPage';
import { SdkToggleRows } from './SdkToggleRows';

/** The toggle list in an outage: each switch holds its toggle. */
export function SdkToggleList() {
  return (
    <SdkPage>
      {({ features }) => <SdkToggleRows toggles={features} href={paths.toggle} control={renderSwitch} />}
    </SdkPage>
  );
}

const renderSwitch = (toggle: Toggle) => <ToggleSwitch toggle={toggle} disabledReason={ALREADY_OFF} />;
