import { useNavigate } from 'react-router-dom';
import type { StrategyDefinition } from '@/api/generated/types';
import { paths, sections } from '@/paths';
import { Breadcrumb } from '@/shared/Breadcrumb';
import { Button } from '@/ui/Button';
import { DeprecateIcon, ReactivateIcon, RemoveIcon } from '@/ui/icons';
import { PageHeader } from '@/ui/PageHeader';
import { useStrategyDisabledReasons } from '../useStrategyDisabledReasons';
import { StrategyBadges } from './StrategyBadges';
import { useStrategyActions } from './useStrategyActions';

export function StrategyHeader({ definition }: { definition: StrategyDefinition }) {
  const navigate = useNavigate();
  const disabledReasons = useStrategyDisabledReasons(definition);
  const { ask, dialog } = useStrategyActions(() => void navigate(paths.strategies()));
  const { name, description, deprecated } = definition;
  const Icon = deprecated ? ReactivateIcon : DeprecateIcon;
  return (
    <>
      <PageHeader
        breadcrumb={<Breadcrumb within={sections.strategies} here={name} />}
        title={name}
        mark={<StrategyBadges definition={definition} />}
        actions={
          <>
            <Button
              icon={<Icon />}
              disabledReason={disabledReasons.deprecate}
              onClick={() => void ask({ action: deprecated ? 'reactivate' : 'deprecate', definition })}
            >
              {deprecated ? 'Reactivate' : 'Deprecate'}
            </Button>
            <Button
              variant="danger"
              icon={<RemoveIcon />}
              disabledReason={disabledReasons.remove}
              onClick={() => void ask({ action: 'remove', definition })}
            >
              Delete
            </Button>
          </>
        }
      />
      <p className="wrap-anywhere -mt-2 mb-5 max-w-[80ch] text-muted">{description || 'Unknown'}</p>
      {dialog}
    </>
  );
}
