import { expect, test } from 'vitest';
import type { AddonParameter, AddonProvider } from '@/api/generated/types';
import { latestDeliveries } from './AddonEditPage';
import {
  type AddonInput,
  addonErrors,
  addonInput,
  documentationHref,
  eventChoices,
  findProvider,
  MASK,
  replaceMask,
  toAddonDraft,
} from './rules';

const parameter = (name: string, more: Partial<AddonParameter> = {}): AddonParameter => ({
  name,
  displayName: name,
  type: 'text',
  required: false,
  ...more,
});

const provider: AddonProvider = {
  name: 'webhook',
  displayName: 'Webhook',
  description: '',
  parameters: [parameter('url', { required: true, sensitive: true }), parameter('contentType')],
  events: ['feature-created', 'feature-updated'],
};

const addon = {
  id: 3,
  provider: 'webhook',
  enabled: false,
  description: null,
  parameters: { url: MASK, old: 'kept' },
  events: ['feature-created', 'feature-gone'],
};

test('a new addon is enabled and has no events and no parameters [S4-016]', () => {
  expect(addonInput()).toEqual({ enabled: true, description: '', events: [], parameters: {} });
});

const REQUIRED = 'This field is required';
const FEW = 'You must listen to at least one event';

test.each<[string, Partial<AddonInput>, boolean, string | undefined, RegExp | string | undefined]>([
  ['complete input', { parameters: { url: 'http://a' }, events: ['x'] }, true, undefined, undefined],
  ['no events', { parameters: { url: 'http://a' }, events: [] }, true, FEW, undefined],
  ['a required parameter missing', { parameters: {}, events: ['x'] }, true, undefined, REQUIRED],
  ['a required parameter blank', { parameters: { url: ' ' }, events: ['x'] }, false, undefined, REQUIRED],
  ['the mask of a stored value', { parameters: { url: MASK }, events: ['x'] }, false, undefined, undefined],
  ['a mask without a stored value', { parameters: { url: MASK }, events: ['x'] }, true, undefined, /Five asterisks/],
])('validates %s [S5-032] [S5-033]', (_, part, isNew, eventsError, parametersError) => {
  const errors = addonErrors({ ...addonInput(), ...part }, provider, isNew);
  expect(errors.events).toBe(eventsError);
  if (parametersError instanceof RegExp) expect(errors.parameters).toMatch(parametersError);
  else expect(errors.parameters).toBe(parametersError);
});

test('the request is trimmed, omits empty parameters and keeps parameters that the provider does not define', () => {
  const input = {
    ...addonInput(addon),
    description: ' x ',
    parameters: { url: MASK, contentType: ' ', old: ' kept ' },
  };
  expect(toAddonDraft('webhook', input)).toEqual({
    provider: 'webhook',
    enabled: false,
    description: 'x',
    parameters: { url: MASK, old: 'kept' },
    events: ['feature-created', 'feature-gone'],
  });
});

test.each([
  [MASK, `${MASK}x`, 'x'],
  [MASK, 'new', 'new'],
  [MASK, '', ''],
  ['', MASK, MASK],
  ['new', 'newer', 'newer'],
])('changing %j to %j results in %j [S9-018]', (before, typed, after) => {
  expect(replaceMask(before, typed)).toBe(after);
});

test('events that the provider no longer offers can still be selected', () => {
  expect(eventChoices(provider, addonInput(addon), false)).toEqual([
    'feature-created',
    'feature-updated',
    'feature-gone',
  ]);
});

test('checkpoints of the journal can be selected only if the server has a journal, or if they are selected', () => {
  const checkpoint = 'journal-checkpoint-created';
  const webhook = { ...provider, events: ['feature-created', checkpoint] };
  expect(eventChoices(webhook, addonInput(), false)).toEqual(['feature-created']);
  expect(eventChoices(webhook, addonInput(), true)).toEqual(['feature-created', checkpoint]);
  expect(eventChoices(webhook, { ...addonInput(), events: [checkpoint] }, false)).toEqual([
    'feature-created',
    checkpoint,
  ]);
});

test('an addon of an unknown provider shows its own parameters', () => {
  const { displayName, parameters } = findProvider({ ...addon, provider: 'gone' }, [provider]);
  expect(displayName).toBe('gone');
  expect(parameters.map(({ name }) => name)).toEqual(['url', 'old']);
});

test.each([
  ['https://example.com/docs', 'https://example.com/docs'],
  ['javascript:alert(1)', 'https://docs.getunleash.io/docs/addons'],
  [undefined, 'https://docs.getunleash.io/docs/addons'],
])('the documentation link %s leads to %s [S9-027]', (documentationUrl, expected) => {
  const { documentationUrl: _, ...rest } = provider;
  expect(documentationHref({ ...rest, ...(documentationUrl && { documentationUrl }) })).toBe(expected);
});

test('describes the deliveries of this addon', () => {
  const event = (id: number, type: string, data: object) => ({
    id,
    type,
    createdBy: 'x',
    createdAt: '2026-01-05T10:00:00Z',
    data: { eventType: 'feature-created', ...data },
    diffs: null,
  });
  const deliveries = latestDeliveries(3, [
    event(9, 'addon-delivered', { id: 3, attempts: 1, status: 204 }),
    event(8, 'addon-delivered', { id: 4, attempts: 1, status: 204 }),
    event(7, 'addon-delivery-failed', { id: 3, attempts: 10, reason: 'Connection refused', target: 'ops' }),
    event(6, 'addon-config-created', { id: 3 }),
  ]);
  expect(deliveries.map(({ id, isDelivered, target, outcome }) => ({ id, isDelivered, target, outcome }))).toEqual([
    { id: 9, isDelivered: true, target: undefined, outcome: 'HTTP 204' },
    { id: 7, isDelivered: false, target: 'ops', outcome: 'Connection refused after 10 attempts' },
  ]);
});
