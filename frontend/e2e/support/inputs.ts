import { expect, type Locator, type Page } from '@playwright/test';

export type Device = 'mouse' | 'touch' | 'keyboard';

/** Uses a page with one input device, and counts what a user does. */
export class Inputs {
  readonly page: Page;
  readonly device: Device;
  /** Clicks or taps. */
  clicks = 0;
  /** Key presses, also of typed texts. Each key of a shortcut counts. */
  keys = 0;

  constructor(page: Page, device: Device) {
    this.page = page;
    this.device = device;
  }

  /** The inputs of the device: keys of a keyboard, otherwise clicks or taps, without the typed texts. */
  get count(): number {
    return this.device === 'keyboard' ? this.keys : this.clicks;
  }

  /** Clicks or taps a control, or moves to it with Tab and presses Enter. */
  async use(control: Locator): Promise<void> {
    if (this.device === 'keyboard') {
      await this.moveTo(control);
      return this.press('Enter');
    }
    this.clicks += 1;
    await (this.device === 'touch' ? control.tap() : control.click());
  }

  async type(text: string): Promise<void> {
    this.keys += text.length;
    await this.page.keyboard.type(text);
  }

  /** Presses keys or shortcuts, such as `Control+k`, one after the other. */
  async press(...shortcuts: string[]): Promise<void> {
    for (const shortcut of shortcuts) {
      this.keys += shortcut.split('+').length;
      await this.page.keyboard.press(shortcut);
    }
  }

  /** Moves the focus to a control with Tab, or another shortcut. */
  async moveTo(control: Locator, shortcut = 'Tab'): Promise<void> {
    await expect(control).toBeEnabled();
    for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
      if (await control.evaluate((element) => element === document.activeElement)) return;
      await this.press(shortcut);
    }
    throw new Error(`${MAX_PRESSES} times ${shortcut} do not reach ${control}`);
  }
}

const MAX_PRESSES = 60;
