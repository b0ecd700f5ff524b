import { paths, type StrategyTab, strategyTabs } from '@/paths';
import { TabLinks } from '@/shared/TabLinks';

const labels: { [key in StrategyTab]: string } = { view: 'Details', edit: 'Edit' };

export function StrategyTabs({ name, current }: { name: string; current: StrategyTab }) {
  const tabs = strategyTabs.map((id) => ({ id, label: labels[id], path: paths.strategy(name, id) }));
  return <TabLinks label="Strategy tabs" tabs={tabs} current={current} />;
}
