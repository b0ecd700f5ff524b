import { useSdkToggles } from '@/api/sdkToggles';
import { ALREADY_OFF } from '@/domain/holds/holds';
import { sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { ItemHeader } from '@/ui/ItemHeader';
import { useIsNarrow } from '@/ui/useIsNarrow';
import { ToggleSwitch } from '../list/ToggleSwitch';
import { ToggleNotFound } from '../page/ToggleNotFound';
import { ReadOnlyActivation } from './ReadOnlyActivation';
import { SdkPage } from './SdkPage';

/** Page of a toggle in an outage, as SDKs get it: its switch holds it. */
export function SdkTogglePage({ name }: { name: string }) {
  const toggle = useSdkToggles().data?.features.find((one) => one.name === name);
  const isNarrow = useIsNarrow();
  const control = toggle && <ToggleSwitch toggle={toggle} disabledReason={ALREADY_OFF} showLabel isBlock={isNarrow} />;
  return (
    <>
      <ItemHeader
        breadcrumb={<Breadcrumb within={sections.toggles} />}
        name={name}
        lead={!isNarrow && <span className="flex h-control items-center">{control}</span>}
      />
      {isNarrow && control && <div className="mb-3">{control}</div>}
      <SdkPage>
        {() => (toggle ? <ReadOnlyActivation key={name} toggle={toggle} /> : <ToggleNotFound name={name} />)}
      </SdkPage>
    </>
  );
}
