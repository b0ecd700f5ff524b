import type { ContextResult } from '@/api/generated/types';
import { useLocale } from '@/lib/locale';
import { Chip } from '@/ui/Chip';
import { ApplicationIcon, PercentageIcon, StatusOffIcon, StatusOnIcon } from '@/ui/icons';
import { formatProbability } from './describeReason';

interface Props {
  result: Pick<ContextResult, 'result' | 'probability'>;
}

/** The result of an evaluation, as colour, icon and text. */
export function ResultChip({ result: { result, probability = 0 } }: Props) {
  const locale = useLocale();
  switch (result) {
    case 'on':
      return (
        <Chip tone="on" icon={<StatusOnIcon size={14} className="shrink-0" />}>
          On
        </Chip>
      );
    case 'off':
      return <Chip icon={<StatusOffIcon size={14} className="shrink-0" />}>Off</Chip>;
    case 'application':
      return (
        <Chip tone="accent" icon={<ApplicationIcon size={14} className="shrink-0" />}>
          App decides
        </Chip>
      );
    case 'random':
      return (
        <Chip tone="warn" icon={<PercentageIcon size={14} className="shrink-0" />}>
          On for {formatProbability(probability, locale)}
        </Chip>
      );
  }
}
