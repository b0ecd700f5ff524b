// @vitest-environment happy-dom
import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { leaveGuards } from '@/lib/leaveGuard';
import { installFakeServer } from '@/testing/fakeServer';
import { serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach, settle, withRealTimers } from '@/testing/page';
import { ContextForm } from './ContextForm';
import type { ChangeLabContext, LabContext } from './labContext';

const server = installFakeServer();
cleanPageAfterEach();

const name = () => screen.getByLabelText<HTMLInputElement>('Other field');
const add = () => act(async () => fireEvent.submit(name().closest('form') ?? document));
const type = (text: string) => fireEvent.change(name(), { target: { value: text } });

async function open() {
  serveConsole(server());
  render(<ContextForm context={{}} onChange={() => undefined} />);
  await settle();
}

test('a field is added by its name, and the input for the next one is empty', async () => {
  await open();
  type(' region ');
  expect(leaveGuards.get()).toEqual([]);
  await add();
  expect(screen.getByLabelText('region')).toBeDefined();
  expect(name().value).toBe('');
  expect(screen.queryByText('Enter a name.')).toBeNull();
});

test.each([
  ['', 'Enter a name.'],
  ['userId', 'This field already exists.'],
  ['properties', 'Enter the name of a field inside "properties".'],
])('the name "%s" is refused with the reason, until it is changed', async (text, reason) => {
  await open();
  type(text);
  await add();
  expect(screen.getByText(reason)).toBeDefined();
  type('region');
  expect(screen.queryByText(reason)).toBeNull();
});

test.each([{ isComposing: true }, { keyCode: 229 }])(
  'Enter that confirms a composition does not apply the value: %j',
  async (key) => {
    serveConsole(server());
    const applied: LabContext[] = [];
    const onChange: ChangeLabContext = (edit) => applied.push(edit({}));
    render(<ContextForm context={{}} onChange={onChange} />);
    await settle();
    const user = userEvent.setup({ delay: null });
    const field = screen.getByLabelText<HTMLInputElement>('userId');
    await withRealTimers(() => user.type(field, 'にほん'));
    fireEvent.keyDown(field, { key: 'Enter', ...key });
    expect([field.value, applied]).toEqual(['にほん', []]);
    await withRealTimers(() => user.keyboard('{Enter}'));
    expect(applied).toEqual([{ userId: 'にほん' }]);
  },
);
