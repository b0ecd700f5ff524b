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
  /** Returns the link to a tab, for an active or archived toggle. */
  href: (name: string, tab: ToggleTab) => string;
  current: ToggleTab;
}

export function ToggleTabs({ name, href, current }: Props) {
  const tabs = toggleTabs.map((id) => ({ id, label: labels[id], path: href(name, id) }));
  return <TabLinks label="Toggle sections" tabs={tabs} current={current} />;
}
