// @vitest-environment happy-dom
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ChangeTime } from './ChangeTime';

const BY = '2026-01-05T09:30:10Z';

test.each([
  ['2026-01-05T09:30:00Z', null],
  ['2026-01-05T09:29:59Z', /^Made after .*; SDKs here got it from .* on\.$/],
  [null, /^Made at an unknown time; SDKs here got it from .* on\.$/],
])('the time of a change that was made after %s has the tooltip %s', (after, tip) => {
  const { container } = render(<ChangeTime interval={{ after, by: BY }} />);
  const time = container.querySelector('time');
  expect(time?.getAttribute('datetime')).toBe(BY);
  if (tip === null) expect(time?.getAttribute('data-tip')).toBeNull();
  else expect(time?.getAttribute('data-tip')).toMatch(tip);
});
