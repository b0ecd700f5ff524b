import { useNavigate } from 'react-router-dom';
import type { StrategyDefinition } from '@/api/generated/types';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Button } from '@/ui/Button';
import { ItemHeader } from '@/ui/ItemHeader';
import { DeprecateIcon, ReactivateIcon, RemoveIcon } from '@/ui/icons';
import { SecondaryActions } from '@/ui/SecondaryActions';
import { useStrategyDisabledReasons } from '../useStrategyDisabledReasons';
import { StrategyBadges } from './StrategyBadges';
import { useStrategyActions } from './useStrategyActions';

export function StrategyHeader({ definition }: { definition: StrategyDefinition }) {
  const navigate = useNavigate();
  const disabledReasons = useStrategyDisabledReasons(definition);
  const { ask, dialog } = useStrategyActions(() => void navigate(paths.strategies()));
  const { name, description, deprecated } = definition;
  const Icon = deprecated ? ReactivateIcon : DeprecateIcon;
  const deprecate = {
    id: 'deprecate',
    label: deprecated ? 'Reactivate' : 'Deprecate',
    icon: <Icon />,
    disabledReason: disabledReasons.deprecate,
    onSelect: () => void ask({ action: deprecated ? 'reactivate' : 'deprecate', definition }),
  };
  const remove = {
    id: 'remove',
    label: 'Delete',
    icon: <RemoveIcon />,
    tone: 'danger' as const,
    disabledReason: disabledReasons.remove,
    onSelect: () => void ask({ action: 'remove', definition }),
  };
  return (
    <>
      <ItemHeader
        breadcrumb={<Breadcrumb within={sections.strategies} here={name} />}
        name={name}
        mark={<StrategyBadges definition={definition} />}
        actions={
          <SecondaryActions items={[deprecate, remove]}>
            <Button icon={deprecate.icon} disabledReason={deprecate.disabledReason} onClick={deprecate.onSelect}>
              {deprecate.label}
            </Button>
            <Button
              variant="danger"
              icon={remove.icon}
              disabledReason={remove.disabledReason}
              onClick={remove.onSelect}
            >
              {remove.label}
            </Button>
          </SecondaryActions>
        }
      />
      <p className="wrap-anywhere -mt-2 mb-5 max-w-[80ch] text-muted max-sm:mt-0 max-sm:mb-2">
        {description || 'Unknown'}
      </p>
      {dialog}
    </>
  );
}
