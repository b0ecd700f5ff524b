import { Fragment, type ReactNode } from 'react';
import { useHref } from 'react-router-dom';
import { useNewerServer, useServerEnvironment, withEnvironment } from '@/api/environment';
import type { Toggle } from '@/api/generated/types';
import type { NewerToggle, OtherEnvironment } from '@/api/newerTypes';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';

/** The state of a toggle in all environments of a newer server, and the toggles that it depends on. */
export function ToggleEnvironments({ toggle }: { toggle: NewerToggle }) {
  const { otherEnvironments = [], children = [] } = toggle;
  const dependencies = toggle.dependencies ?? [];
  const entries = useEntries(toggle, otherEnvironments);
  if (entries.length + dependencies.length + children.length === 0 && !toggle.impressionData) return null;
  return (
    <div className="mb-4 grid gap-1 text-muted text-secondary">
      {entries.length > 0 && (
        <p data-testid="toggle-environments">
          {entries.map((entry, index) => (
            <Fragment key={entry.name}>
              {index > 0 && ' · '}
              <EnvironmentState {...entry} toggle={toggle} />
            </Fragment>
          ))}
        </p>
      )}
      {dependencies.length > 0 && (
        <Related text="Depends on" names={dependencies.map(({ feature }) => feature)}>
          {dependencies.some(({ enabled }) => enabled === false) && ' (some must be off)'}
        </Related>
      )}
      {children.length > 0 && <Related text="Required by" names={children} />}
      {toggle.impressionData && <p>Impression data: applications report each evaluation of this toggle.</p>}
    </div>
  );
}

interface Entry extends OtherEnvironment {
  isHere: boolean;
}

/** Returns the states in the order of the server. */
function useEntries(toggle: Toggle, others: readonly OtherEnvironment[]): Entry[] {
  const order = useNewerServer()?.environments.map(({ name }) => name) ?? [];
  const here = useServerEnvironment();
  if (!here) return [];
  const { enabled, strategies } = toggle;
  const entries: Entry[] = [
    ...others.map((one) => ({ ...one, isHere: false })),
    { name: here.name, enabled, strategies: strategies.length, isHere: true },
  ];
  // Environments that cannot be selected come last.
  const position = ({ name }: Entry) => (order.indexOf(name) + order.length + 1) % (order.length + 1);
  return entries.sort((a, b) => position(a) - position(b));
}

function EnvironmentState({ toggle, name, enabled, strategies, isHere }: Entry & { toggle: Toggle }) {
  const server = useNewerServer();
  const href = useHref(paths.toggle(toggle.name) + withEnvironment('', name));
  const canOpen = !isHere && server?.environment === null && server.environments.some((one) => one.name === name);
  const count = strategies === 1 ? '1 strategy' : `${strategies} strategies`;
  return (
    <>
      {canOpen ? (
        // Loads the page again, which discards all data of this environment.
        <a href={href} rel="external" className="font-semibold text-accent underline">
          {name}
        </a>
      ) : (
        <span className={isHere ? 'font-semibold text-text' : undefined}>{name}</span>
      )}
      {isHere && ' (here)'}: {enabled ? 'on' : 'off'}
      {strategies > 0 && `, ${count}`}
    </>
  );
}

function Related({ text, names, children }: { text: string; names: readonly string[]; children?: ReactNode }) {
  return (
    <p className="wrap-anywhere">
      {text}{' '}
      {names.map((name, index) => (
        <Fragment key={name}>
          {index > 0 && ', '}
          <TextLink to={paths.toggle(name)} tone="accent" className="underline">
            {name}
          </TextLink>
        </Fragment>
      ))}
      {children}
    </p>
  );
}
