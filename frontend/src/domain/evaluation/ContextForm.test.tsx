// @vitest-environment happy-dom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { leaveGuards } from '@/lib/leaveGuard';
import { installFakeServer } from '@/testing/fakeServer';
import { serveConsole } from '@/testing/flagService';
import { cleanPageAfterEach, settle } from '@/testing/page';
import { ContextForm } from './ContextForm';

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
