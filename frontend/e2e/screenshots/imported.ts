// The screen of a toggle with properties that only an import changes.

import { expect, type Route } from '@playwright/test';
import { type Scene, TOGGLE } from './scene';

interface ListedToggle {
  name: string;
  strategies: object[];
}

export const imported: readonly Scene[] = [
  {
    name: 'toggle-imported',
    title: 'Toggle: properties that only an import changes',
    path: 'features',
    act: async ({ page, ui }) => {
      await page.route(/\/api\/admin\/features(\/checkout\.one-page)?$/, respondImported);
      await ui.activation.open(TOGGLE);
      await expect(ui.main.getByText('can be changed by import only').first()).toBeVisible();
    },
  },
];

/** Responds with the list or the toggle, with properties that only an import writes. */
async function respondImported(route: Route): Promise<void> {
  // A conditional request could get 304, without a body to change.
  const { 'if-none-match': _, ...headers } = route.request().headers();
  const body = await (await route.fetch({ headers })).json();
  const change = (toggle: ListedToggle) => (toggle.name === TOGGLE ? withImported(toggle) : toggle);
  await route.fulfill({ json: body.features ? { ...body, features: body.features.map(change) } : change(body) });
}

function withImported({ strategies: [first, ...others], ...toggle }: ListedToggle): object {
  const constraints = [
    { contextName: 'plan', operator: 'IN', values: ['gold', 'silver'], inverted: true },
    { contextName: 'age', operator: 'NUM_GT', value: '17' },
  ];
  const variants = [{ name: 'blue', weight: 1000, weightType: 'variable' }];
  const strategies = [{ ...first, constraints, variants, title: 'Adults', disabled: true }, ...others];
  return { ...toggle, strategies, dependencies: [{ feature: 'account.loyalty-prices' }], impressionData: true };
}
