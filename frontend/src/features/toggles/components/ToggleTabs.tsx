import { Link } from 'react-router-dom';
import { cx } from '@/lib/cx';
import { type ToggleTab, toggleTabs } from '@/paths';

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

/** Each has an address of its own, so they are links. */
export function ToggleTabs({ name, address, current }: Props) {
  return (
    <nav aria-label="Parts of the toggle" className="mb-5 flex gap-6 border-line border-b">
      {toggleTabs.map((tab) => (
        <Link
          key={tab}
          to={address(name, tab)}
          aria-current={tab === current ? 'page' : undefined}
          className={cx(
            '-mb-px inline-flex items-center border-b-2 pt-2 pb-2.5 font-medium touch:min-h-touch',
            tab === current ? 'border-accent text-text' : 'border-transparent text-muted hover:text-text',
          )}
        >
          {labels[tab]}
        </Link>
      ))}
    </nav>
  );
}
