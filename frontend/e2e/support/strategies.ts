// Prepares, finds and checks strategy definitions and their usage.

import { expect, type Locator } from '@playwright/test';
import type { ParameterDefinition, StrategyDefinition } from '../../src/api/generated/types';
import type { Flags } from './flags';
import { STORED } from './slowdown';
import type { Ui } from './ui';

export const REGIONS: ParameterDefinition = {
  name: 'regions',
  type: 'list',
  description: 'Codes of two letters',
  required: true,
};
export const SHARE: ParameterDefinition = { name: 'share', type: 'percentage', description: '', required: false };

export const BY_REGION = { name: 'byRegion', description: 'In some regions', parameters: [REGIONS, SHARE] };

export async function definitionOf(flags: Flags, name: string): Promise<StrategyDefinition | undefined> {
  const { strategies } = await flags.get<{ strategies: StrategyDefinition[] }>('admin/strategies');
  return strategies.find((one) => one.name === name);
}

/** Sends the registration request of an application. */
export async function register(flags: Flags, appName: string, ...strategies: string[]): Promise<void> {
  const sdkVersion = 'unleash-client-node:3.21.0';
  const body = { appName, instanceId: `${appName}-1`, sdkVersion, strategies, started: new Date(), interval: 10_000 };
  await flags.post('client/register', body);
}

/** Waits until the service lists the applications, which may take seconds. */
export async function waitForApplications(flags: Flags, count: number): Promise<void> {
  const listed = async () =>
    (await flags.get<{ applications: unknown[] }>('admin/metrics/applications')).applications.length;
  await expect.poll(listed, STORED).toBe(count);
}

/** Locates a section of the page or the dialog, such as 'Toggles using it'. */
export function section(within: Locator, name: string): Locator {
  return within.getByRole('region', { name });
}

/** Locates the fields of one parameter in the form, counted from 1. */
export function parameter(ui: Ui, position: number): Locator {
  return ui.main.getByRole('group', { name: `Parameter ${position}` });
}

export async function fillParameter(
  ui: Ui,
  position: number,
  { name, type, description, required }: ParameterDefinition,
) {
  const row = parameter(ui, position);
  await row.getByLabel('Parameter name').fill(name);
  await row.getByLabel('Type').selectOption(type);
  await row.getByLabel('Parameter description').fill(description);
  await row.getByLabel('Required').setChecked(required);
}
