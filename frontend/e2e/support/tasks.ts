// Tasks of users, which begin at the list of toggles, and the number of their inputs.

import process from 'node:process';
import type { APIRequestContext, Page } from '@playwright/test';
import { expect } from './fixtures';
import type { Flags } from './flags';
import { type Device, Inputs } from './inputs';
import type { Ui } from './ui';

/** The toggle of all tasks. */
export const TASK_TOGGLE = 'shop.basket';

export interface Parts {
  page: Page;
  ui: Ui;
  flags: Flags;
  /** Performs the task from the list of toggles. */
  inputs: Inputs;
}

export interface Task {
  title: string;
  /** With the mouse, or by touch on a phone. */
  point?: (parts: Parts) => Promise<void>;
  /** With the keyboard. */
  press?: (parts: Parts) => Promise<void>;
  /**
   * Stores what the task needs, besides a toggle `shop.basket`, which is on for everyone. With `startsLater`, returns the
   * time from which that counts.
   */
  prepare?: (flags: Flags, request: APIRequestContext) => Promise<unknown>;
  /** Milliseconds from the returned time until the time of the page, which stands still. The server records its toggles. */
  startsLater?: number;
  check?: (parts: Parts) => Promise<void>;
  /** See `Inputs.count`. */
  limits: { [device in Device]?: number };
}

/** Returns the limit of the task on the device; undefined if it is not performed there. */
export function getTaskLimit({ point, press, limits }: Task, device: Device): number | undefined {
  return (device === 'keyboard' ? press : point) && limits[device];
}

export async function performTask(task: Task, device: Device, parts: Omit<Parts, 'inputs'>): Promise<void> {
  const { title, prepare, point, press, check, startsLater } = task;
  const { page, ui, flags } = parts;
  const perform = device === 'keyboard' ? press : point;
  await flags.create({ name: TASK_TOGGLE });
  const since = await prepare?.(flags, page.request);
  if (startsLater === undefined) await page.clock.install();
  else await page.clock.setFixedTime(Date.parse(String(since)) + startsLater);
  await page.goto('features');
  await expect(ui.row(TASK_TOGGLE)).toBeVisible();
  const inputs = new Inputs(page, device);
  await perform?.({ ...parts, inputs });
  await check?.({ ...parts, inputs });
  const text = `${inputs.clicks} clicks, ${inputs.keys} keys`;
  if (process.env['FLAGDECK_COUNTS']) process.stdout.write(`${device}: ${title}: ${text}\n`);
  expect(inputs.count, text).toBeLessThanOrEqual(getTaskLimit(task, device) ?? 0);
}
