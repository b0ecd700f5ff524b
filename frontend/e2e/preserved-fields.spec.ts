// Properties of toggles that only an import or the API changes: the console shows them in words and keeps them, and
// client SDKs evaluate them like the embedded flag service.

import { mkdir, writeFile } from 'node:fs/promises';
import { axeViolations } from './support/accessibility';
import { expect, test } from './support/fixtures';
import { Application, MAJORS } from './support/sdk';

test.use({ durable: true });

const constraint = (contextName: string, operator: string, more: object) => ({ contextName, operator, ...more });

const CONSTRAINTS = [
  constraint('plan', 'IN', { values: ['gold', 'silver'], inverted: true }),
  constraint('email', 'STR_ENDS_WITH', { values: ['@EXAMPLE.ORG'], caseInsensitive: true }),
  constraint('age', 'NUM_GT', { values: [], value: '17' }),
  constraint('environment', 'NOT_IN', { values: ['test'] }),
  constraint('address', 'IN_CIDR', { values: ['10.0.0.0/8'], inverted: true }),
];
const LIMITED = {
  name: 'default',
  parameters: {},
  // Client SDKs from before this operator never match it.
  constraints: CONSTRAINTS.slice(0, -1),
  segments: [3],
  title: 'Adults',
  disabled: false,
  variants: [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }],
};
const DISABLED = { name: 'userWithId', parameters: { userIds: '9' }, title: 'Later', disabled: true };
const READ_ONLY = { name: 'default', parameters: {}, constraints: CONSTRAINTS };
const STATE = {
  version: 1,
  features: [
    {
      name: 'shop.pay',
      enabled: true,
      impressionData: true,
      dependencies: [{ feature: 'shop.open' }],
      strategies: [LIMITED, DISABLED],
    },
    { name: 'shop.open', enabled: true, strategies: [{ name: 'default' }] },
    { name: 'shop.lan', enabled: true, strategies: [READ_ONLY] },
  ],
  segments: [{ id: 3, name: 'beta-users', constraints: [constraint('userId', 'NOT_IN', { values: ['9'] })] }],
};

test.describe('imported properties', { tag: '@embedded' }, () => {
  test.beforeEach(async ({ flagdeck }, testInfo) => {
    const file = testInfo.outputPath('state.json');
    await mkdir(testInfo.outputDir, { recursive: true });
    await writeFile(file, JSON.stringify(STATE));
    await flagdeck.command(['import', file]);
  });

  for (const [width, tag] of [
    [1280, []],
    [360, '@ci'],
  ] satisfies [number, string | string[]][]) {
    test(`are shown in words and kept by every save, ${width} px`, { tag }, async ({ page, ui, flags }) => {
      await page.setViewportSize({ width, height: 800 });
      await ui.activation.open('shop.pay');
      await expect(page.getByText('Depends on shop.open')).toBeVisible();
      await expect(page.getByText('Impression data: applications report each evaluation')).toBeVisible();
      const card = ui.activation.strategy('default');
      await expect(card).toContainText('Adults');
      await expect(card).toContainText('Everyone in segment beta-users where');
      await expect(card.getByText('blue', { exact: true })).toBeVisible();
      await expect(card).toContainText('The title and variants of this strategy can be changed by import only.');
      for (const [number, words] of [
        [1, 'plan is not one of gold silver'],
        [2, 'email ends with @EXAMPLE.ORG (ignoring case)'],
        [3, 'age is greater than 17'],
      ] as const) {
        await expect(ui.activation.constraintSentence('default', number)).toContainText(words);
      }
      const later = ui.activation.strategy('userWithId');
      await expect(later).toContainText('Disabled');
      await expect(later).toContainText('The title and disabled state can be changed by import only.');
      expect(await axeViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);

      await ui.activation.constraintSentence('default', 4).click();
      await ui.activation.constraint('default', 4).getByLabel('Operator').selectOption('is one of');
      await ui.activation.saveButton('default').click();
      await expect(page.getByText('Unsaved')).toHaveCount(0);
      const constraints = [...LIMITED.constraints.slice(0, 3), { ...LIMITED.constraints[3], operator: 'IN' }];
      const { features } = STATE;
      expect(await flags.find('shop.pay')).toMatchObject({
        ...features[0],
        strategies: [{ ...LIMITED, constraints }, DISABLED],
      });
      await ui.activation.open('shop.lan');
      await expect(ui.activation.constraintSentence('default', 5)).toContainText(
        'address is not in the network 10.0.0.0/8',
      );
    });
  }

  for (const major of MAJORS) {
    test(
      `have the same result in the client SDK ${major}.x and in the evaluation`,
      { tag: '@ci' },
      async ({ page, flagdeck }, testInfo) => {
        const application = await Application.start(major, flagdeck.url, testInfo.outputDir, 'shop');
        const contexts = [];
        for (const plan of ['gold', 'free'])
          for (const age of ['17', '18'])
            for (const userId of ['9', '7']) {
              const properties = { plan, age, email: 'anna@example.org', environment: 'prod' };
              contexts.push({ userId, properties });
            }
        const response = await page.request.post('-/evaluate', { data: { names: ['shop.pay'], contexts } });
        const [{ saved }] = (await response.json()).toggles;
        const evaluated = saved.contexts.map(({ result }: { result: string }) => result === 'on');
        expect(evaluated).toEqual([false, false, false, false, false, false, false, true]);
        expect(contexts.map((context) => application.unleash.isEnabled('shop.pay', context))).toEqual(evaluated);
        application.unleash.destroy();
        expect(application.errors).toEqual([]);
      },
    );
  }
});
