// The parameters of the built-in strategies that decide whom they select.

const SHARES: Record<string, string> = {
  flexibleRollout: 'rollout',
  gradualRolloutRandom: 'percentage',
  gradualRolloutSessionId: 'percentage',
  gradualRolloutUserId: 'percentage',
};

export type ListParameter = 'userIds' | 'hostNames' | 'IPs';

const LISTS: Record<string, ListParameter> = {
  userWithId: 'userIds',
  applicationHostname: 'hostNames',
  remoteAddress: 'IPs',
};

/** Returns the name of the percentage parameter, if the strategy has one. */
export function getShareParameter(strategyName: string): string | undefined {
  return Object.hasOwn(SHARES, strategyName) ? SHARES[strategyName] : undefined;
}

/** Returns the name of the list parameter of a built-in strategy, if it has one. */
export function getBuiltInList(strategyName: string): ListParameter | undefined {
  return Object.hasOwn(LISTS, strategyName) ? LISTS[strategyName] : undefined;
}

/** Returns whether only the application knows whom a strategy selects. */
export function isCustomStrategy(strategyName: string): boolean {
  return (
    strategyName !== 'default' &&
    getShareParameter(strategyName) === undefined &&
    getBuiltInList(strategyName) === undefined
  );
}
