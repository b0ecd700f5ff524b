// Activation strategies and their constraints in words.

import type { Constraint, Strategy } from '@/api/generated/types';
import { splitList } from './splitList';

function amount(list: string | undefined, one: string, many: string): string {
  const { length } = splitList(list ?? '');
  return `${length} ${length === 1 ? one : many}`;
}

function share(percentage: string | undefined, of: string): string {
  return `${percentage || '0'} % of ${of}`;
}

const rolloutOf: Record<string, string> = {
  default: 'users',
  random: 'requests, at random',
  sessionId: 'sessions',
};

function rollout({ rollout: percentage, stickiness = 'default' }: Record<string, string>): string {
  const of = Object.hasOwn(rolloutOf, stickiness) ? rolloutOf[stickiness] : undefined;
  return share(percentage, of ?? `users, sticky on ${stickiness}`);
}

/** Who a built-in strategy selects; empty for one whose meaning only its clients know. */
export function describeStrategy({ name, parameters = {} }: Strategy): string {
  switch (name) {
    case 'default':
      return 'On for everyone';
    case 'flexibleRollout':
      return rollout(parameters);
    case 'gradualRolloutRandom':
      return share(parameters['percentage'], 'requests, at random');
    case 'gradualRolloutSessionId':
      return share(parameters['percentage'], 'sessions');
    case 'gradualRolloutUserId':
      return share(parameters['percentage'], 'users');
    case 'userWithId':
      return amount(parameters['userIds'], 'user', 'users');
    case 'applicationHostname':
      return amount(parameters['hostNames'], 'host', 'hosts');
    case 'remoteAddress':
      return amount(parameters['IPs'], 'address', 'addresses');
    default:
      return '';
  }
}

const operators: Record<Constraint['operator'], string> = { IN: 'is one of', NOT_IN: 'is none of' };

/** Servers may know operators that this console does not: those are shown as they are. */
export function operatorLabel(operator: string): string {
  return operator === 'IN' || operator === 'NOT_IN' ? operators[operator] : operator;
}

/** Plain words start with a capital; names written like code stay as their clients know them. */
export function parameterLabel(name: string): string {
  return /^[a-z]+$/u.test(name) ? name.charAt(0).toUpperCase() + name.slice(1) : name;
}

/** A strategy that is there twice is told with its place among its likes. */
export function strategyLabel(cards: readonly Strategy[], index: number): string {
  const name = cards[index]?.name ?? '';
  const alike = cards.filter((card) => card.name === name).length;
  if (alike < 2) return name;
  return `${name} (${cards.slice(0, index + 1).filter((card) => card.name === name).length} of ${alike})`;
}
