// @vitest-environment happy-dom
// The replica for SDKs in the footer. The replica itself, the banner and the keyboard: e2e/replica-console.spec.ts.
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ReplicaSummary, Settings } from '@/api/generated/types';
import { accessibleDescription, click, dialog, isDisabled, snackbarText } from '@/testing/consolePage';
import { installFakeServer } from '@/testing/fakeServer';
import { SETTINGS, serveUpstream } from '@/testing/flagService';
import { cleanPageAfterEach } from '@/testing/page';
import { renderConsole } from '@/testing/renderConsole';

const server = installFakeServer();
cleanPageAfterEach();

const SUMMARY: ReplicaSummary = {
  copies: 2,
  instances: 2,
  hasMoreInstances: false,
  confirmedAt: '2026-01-05T10:00:00Z',
  age: 0,
  failingSince: null,
  fault: null,
};

const footer = () => within(screen.getByRole('contentinfo'));
const open = () => click(footer().getByRole('button', { name: /^SDKs:/u }));
const panel = () => footer().getByRole('group', { name: 'Toggles for SDKs' });
const remove = () => within(panel()).getByRole('button', { name: 'Remove copies…' });

function serveReplica(settings: Partial<Settings> = {}) {
  serveUpstream(server());
  server().on('GET -/settings', { body: { ...SETTINGS, mode: 'upstream', replica: true, ...settings } });
  server().on('GET -/replica', { body: SUMMARY });
}

test('a console without a replica says nothing about SDKs', async () => {
  serveUpstream(server());
  await renderConsole('/features');
  expect(screen.getByRole('contentinfo').textContent).toContain('3.17.6');
  expect(footer().queryByRole('button', { name: /^SDKs:/u })).toBeNull();
  expect(server().count('GET -/replica')).toBe(0);
});

describe('the copies', () => {
  beforeEach(() => serveReplica());

  test('stay with the reason if they cannot be removed', async () => {
    const message = 'Only administrators of the flag service can remove the copies.';
    server().on('DELETE -/replica', { status: 403, body: { code: 'forbidden', message } });
    await renderConsole('/features');
    expect(footer().getByRole('button', { name: /^SDKs:/u }).textContent).toBe(
      'SDKs: 2 instances, from memory, 0 s old',
    );
    await open();
    await click(remove());
    expect(screen.getByRole('dialog').textContent).toContain('Remove the toggles for 2 SDK instances from memory?');
    await click(dialog().getByRole('button', { name: 'Remove copies' }));
    expect(screen.getByRole('dialog').textContent).toContain(message);
    expect(snackbarText()).toBe('');
    await click(dialog().getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test.each([
    ['without the permission', {}, ['CREATE_FEATURE'], 'You need the permission ADMIN for this.'],
    ['with --read-only', { readOnly: true }, ['ADMIN'], 'This console is read-only.'],
  ])('cannot be removed %s', async (_, settings, permissions, reason) => {
    serveReplica(settings);
    server().on('GET api/admin/user', { body: { email: 'operator@example.com', permissions } });
    await renderConsole('/features');
    await open();
    expect(panel().textContent).toContain(reason);
    expect(isDisabled(remove())).toBe(true);
    expect(accessibleDescription(remove())).toContain(reason);
  });
});
