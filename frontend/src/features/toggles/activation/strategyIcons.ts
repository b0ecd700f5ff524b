import { Globe, type LucideIcon, Percent, Puzzle, Server, ToggleRight, Users } from 'lucide-react';

const icons: Record<string, LucideIcon> = {
  default: ToggleRight,
  flexibleRollout: Percent,
  gradualRolloutRandom: Percent,
  gradualRolloutSessionId: Percent,
  gradualRolloutUserId: Percent,
  userWithId: Users,
  applicationHostname: Server,
  remoteAddress: Globe,
};

export function strategyIcon(name: string): LucideIcon {
  return (Object.hasOwn(icons, name) && icons[name]) || Puzzle;
}
