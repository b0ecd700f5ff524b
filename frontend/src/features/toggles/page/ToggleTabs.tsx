import { useLocation } from 'react-router-dom';
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
  /** Returns the link to a tab: of an active or archived toggle, or at an earlier time. */
  href: (name: string, tab: ToggleTab) => string;
  current: ToggleTab;
}

/** Links to the tabs of a toggle's page. */
export function ToggleTabs({ name, href, current }: Props) {
  // The fragment contains the context of the evaluation.
  const { hash } = useLocation();
  const tabs = toggleTabs.map((id) => ({ id, label: labels[id], path: href(name, id) + hash }));
  return <TabLinks label="Toggle sections" tabs={tabs} current={current} />;
}
