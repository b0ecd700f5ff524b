import { expect, test } from 'vitest';
import { storeSettings } from '@/api/settings';
import { confirmSwitch, switchPrompt } from './confirmSwitch';

const settings = (confirmWrites: boolean) =>
  storeSettings({
    mode: 'embedded',
    upstream: null,
    mountPath: '',
    version: '1',
    signOut: false,
    readOnly: false,
    confirmWrites,
    imageOrigins: [],
    capabilities: null,
    server: null,
    replica: false,
    holds: true,
    servesBrowsers: true,
    servesOpenFeature: true,
    journal: false,
    sessions: false,
    recorder: false,
    recorderNeedsAdmin: false,
    sharedDatabase: null,
    definitions: null,
    environment: null,
  });

test('a second question waits until the first is answered', async () => {
  settings(true);
  const first = confirmSwitch('shop.basket', true);
  const second = confirmSwitch('shop.pay', false);
  expect(switchPrompt.store.get()?.question.subject).toBe('shop.basket');
  switchPrompt.close();
  expect(await first).toBe(false);
  const question = { subject: 'shop.pay', action: 'Disable' };
  expect(switchPrompt.store.get()).toMatchObject({ open: true, question });
  switchPrompt.answer(true);
  expect(await second).toBe(true);
  expect(switchPrompt.store.get()?.open).toBe(false);
});

test('nothing is asked unless the operator wants it', async () => {
  settings(false);
  expect(await confirmSwitch('shop.basket', true)).toBe(true);
  expect(switchPrompt.store.get()?.open).toBe(false);
});
