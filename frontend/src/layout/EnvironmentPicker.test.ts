import { expect, test } from 'vitest';
import { typeOfName } from './EnvironmentPicker';

test.each([
  ['production', 'production'],
  ['Prod EU', 'production'],
  ['eu_prd', 'production'],
  ['live', 'production'],
  ['latest production', 'production'],
  ['preproduction', 'preproduction'],
  ['pre-prod', 'preproduction'],
  ['eu-nonprod', 'preproduction'],
  ['Staging', 'preproduction'],
  ['shop_test', 'preproduction'],
  ['development', ''],
  ['olive', ''],
])('the type of %s is %s', (name, type) => {
  expect(typeOfName(name)).toBe(type);
});
