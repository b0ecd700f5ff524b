import { type ToggleTab, toggleTabs } from '@/paths';
import { TabLinks } from '@/shared/TabLinks';

const labels: Record<ToggleTab, string> = {
  strategies: 'Activation',
  view: 'Metrics',
  variants: 'Variants',
  history: 'Log',
};

interface Props {
  name: string;
  /** Where a tab of the toggle is: among the toggles or in the archive. */
  address: (name: string, tab: ToggleTab) => string;
  current: ToggleTab;
}

export function ToggleTabs({ name, address, current }: Props) {
  const tabs = toggleTabs.map((id) => ({ id, label: labels[id], path: address(name, id) }));
  return <TabLinks label="Parts of the toggle" tabs={tabs} current={current} />;
}
