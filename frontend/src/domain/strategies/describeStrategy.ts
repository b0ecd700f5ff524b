// Describes activation strategies in plain text.
import type { Strategy } from '@/api/generated/types';
import { splitList } from '@/lib/text';

function formatEntries(list: string | undefined, one: string, many: string): string {
  const { length } = splitList(list ?? '');
  return `${length} ${length === 1 ? one : many}`;
}

function formatShare(percentage: string | undefined, of: string): string {
  return `${percentage || '0'} % of ${of}`;
}

const rolloutOf: Record<string, string> = {
  default: 'users',
  random: 'requests, at random',
  sessionId: 'sessions',
};

function describeRollout({ rollout: percentage, stickiness = 'default' }: Record<string, string>): string {
  const of = Object.hasOwn(rolloutOf, stickiness) ? rolloutOf[stickiness] : undefined;
  return formatShare(percentage, of ?? `users, sticky on ${stickiness}`);
}

/** Describes the users selected by a built-in strategy; empty for custom strategies. */
export function describeStrategy({ name, parameters = {}, constraints, segments }: Strategy): string {
  switch (name) {
    case 'default':
      return constraints?.length || segments?.length ? 'On if the constraints match' : 'On for everyone';
    case 'flexibleRollout':
      return describeRollout(parameters);
    case 'gradualRolloutRandom':
      return formatShare(parameters['percentage'], 'requests, at random');
    case 'gradualRolloutSessionId':
      return formatShare(parameters['percentage'], 'sessions');
    case 'gradualRolloutUserId':
      return formatShare(parameters['percentage'], 'users');
    case 'userWithId':
      return formatEntries(parameters['userIds'], 'user', 'users');
    case 'applicationHostname':
      return formatEntries(parameters['hostNames'], 'host', 'hosts');
    case 'remoteAddress':
      return formatEntries(parameters['IPs'], 'address', 'addresses');
    default:
      return '';
  }
}

/** Capitalises plain lower-case words; names written like code, such as `userIds`, stay unchanged. */
export function getParameterLabel(name: string): string {
  return /^[a-z]+$/u.test(name) ? name.charAt(0).toUpperCase() + name.slice(1) : name;
}

/** Returns the strategy's name, with a number if the toggle has several of that name: `userWithId (1 of 2)`. */
export function getStrategyLabel(strategies: readonly Strategy[], index: number): string {
  const name = strategies[index]?.name ?? '';
  const count = strategies.filter((strategy) => strategy.name === name).length;
  if (count < 2) return name;
  return `${name} (${strategies.slice(0, index + 1).filter((strategy) => strategy.name === name).length} of ${count})`;
}
