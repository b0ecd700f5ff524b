import { NavLink } from 'react-router-dom';
import { cx } from '@/lib/cx';
import { paths } from '@/paths';

const tabs = [
  { id: 'strategies', label: 'Activation' },
  { id: 'view', label: 'Metrics' },
] as const;

/** Each has an address of its own, so they are links. */
export function ToggleTabs({ name }: { name: string }) {
  return (
    <nav aria-label="Parts of the toggle" className="mb-5 flex gap-6 border-line border-b">
      {tabs.map(({ id, label }) => (
        <NavLink
          key={id}
          to={paths.toggle(name, id)}
          className={({ isActive }) =>
            cx(
              '-mb-px inline-flex items-center border-b-2 pt-2 pb-2.5 font-medium touch:min-h-touch',
              isActive ? 'border-accent text-text' : 'border-transparent text-muted hover:text-text',
            )
          }
        >
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
