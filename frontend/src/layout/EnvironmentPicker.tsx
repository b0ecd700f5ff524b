import { openEnvironment, useNewerServer, useServerEnvironment } from '@/api/environment';
import { cx } from '@/lib/cx';
import { confirmUnload } from '@/lib/leaveGuard';
import { ChevronDownIcon } from '@/ui/icons';
import { Menu } from '@/ui/Menu';
import { VisuallyHidden } from '@/ui/VisuallyHidden';

const COLOURS: { [type: string]: string } = {
  production: 'bg-alarm text-on-alarm',
  preproduction: 'bg-warn-soft text-warn',
};

/** Returns the class with the colours of an environment's type. */
export function typeColour(type = ''): string {
  return (Object.hasOwn(COLOURS, type) && COLOURS[type]) || 'bg-accent-soft text-accent';
}

/** Returns the type of the environment that a name says; empty if it says none. */
export function typeOfName(name: string): string {
  if (/(^|[^a-z])((pre|non)[^a-z]?prod|stag|test|qa|uat)/iu.test(name)) return 'preproduction';
  return /prod|(^|[^a-z])(prd|live)([^a-z]|$)/iu.test(name) ? 'production' : '';
}

/** The environment of a newer server: a menu if there are several to select, otherwise its name. */
export function EnvironmentPicker() {
  const server = useNewerServer();
  const current = useServerEnvironment();
  if (!server || !current) return null;
  const { environments } = server;
  const className = cx(NAME, typeColour(current.type));
  if (server.environment !== null || environments.length < 2) {
    return (
      <span data-testid="server-environment" title={current.name} className={className}>
        <VisuallyHidden>Environment: </VisuallyHidden>
        {current.name}
      </span>
    );
  }
  const open = async (name: string) => {
    if (name !== current.name && (await confirmUnload())) openEnvironment(name);
  };
  return (
    <Menu
      label={`Environment: ${current.name}`}
      trigger={{
        text: (
          <span data-testid="server-environment" className={className}>
            <span className="truncate">{current.name}</span>
            <ChevronDownIcon size={14} className="shrink-0" />
          </span>
        ),
        variant: 'ghost',
        size: 'small',
      }}
      items={environments.map(({ name, type }) => ({
        id: name,
        label: name === type ? name : `${name} (${type})`,
        checked: name === current.name,
        onSelect: () => void open(name),
      }))}
    />
  );
}

const NAME =
  'flex min-w-0 max-w-28 items-center gap-1 forced-color-adjust-none truncate rounded-chip px-2 py-1 font-bold text-[11px] leading-4 sm:max-w-40 lg:max-w-80';
