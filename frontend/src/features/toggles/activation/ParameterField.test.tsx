// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { cleanPageAfterEach } from '@/testing/page';
import { ParameterField } from './ParameterField';

cleanPageAfterEach();

function renderField(type: 'string' | 'number'): void {
  const parameter = { name: 'stickiness', type, description: '', required: false };
  render(<ParameterField parameter={parameter} value="1" stickiness={['default']} onChange={() => undefined} />);
}

test('a parameter of type string with the name stickiness offers the stickiness fields', () => {
  renderField('string');
  expect(screen.getByRole('combobox')).toBeDefined();
});

test('a parameter of another type with the name stickiness has the editor of its type', () => {
  renderField('number');
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(screen.getByRole('textbox').getAttribute('inputmode')).toBe('decimal');
});
