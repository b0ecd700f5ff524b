import {
  AddressIcon,
  CustomStrategyIcon,
  type IconComponent,
  OnIcon,
  PercentageIcon,
  ServerIcon,
  UsersIcon,
} from '@/ui/icons';

const icons: Record<string, IconComponent> = {
  default: OnIcon,
  flexibleRollout: PercentageIcon,
  gradualRolloutRandom: PercentageIcon,
  gradualRolloutSessionId: PercentageIcon,
  gradualRolloutUserId: PercentageIcon,
  userWithId: UsersIcon,
  applicationHostname: ServerIcon,
  remoteAddress: AddressIcon,
};

export function strategyIcon(name: string): IconComponent {
  return (Object.hasOwn(icons, name) && icons[name]) || CustomStrategyIcon;
}
