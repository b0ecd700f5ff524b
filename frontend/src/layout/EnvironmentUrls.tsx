import { type ReactNode, useContext, useMemo } from 'react';
import { UNSAFE_NavigationContext as NavigationContext, type Navigator, parsePath, type To } from 'react-router-dom';
import { useSelectedEnvironment, withEnvironment } from '@/api/environment';

/** Adds the selected environment to every link and navigation of the console, so that no component has to. */
export function EnvironmentUrls({ children }: { children: ReactNode }) {
  const context = useContext(NavigationContext);
  const environment = useSelectedEnvironment();
  const value = useMemo(
    () =>
      environment === undefined ? context : { ...context, navigator: keepEnvironment(context.navigator, environment) },
    [context, environment],
  );
  return <NavigationContext value={value}>{children}</NavigationContext>;
}

function keepEnvironment(navigator: Navigator, environment: string): Navigator {
  const add = (to: To): To => {
    const path = typeof to === 'string' ? parsePath(to) : to;
    return { ...path, search: withEnvironment(path.search ?? '', environment) };
  };
  return {
    ...navigator,
    createHref: (to) => navigator.createHref(add(to)),
    push: (to, ...rest) => navigator.push(add(to), ...rest),
    replace: (to, ...rest) => navigator.replace(add(to), ...rest),
  };
}
