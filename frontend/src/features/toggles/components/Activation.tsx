import { Fragment, useState } from 'react';
import { strategies } from '@/api/endpoints';
import type { Toggle } from '@/api/generated/types';
import { useRead } from '@/api/hooks';
import { ReadOnlyNote } from '@/ui/ReadOnlyNote';
import { lintToggle } from '../lint';
import { ActivationEditor } from './ActivationEditor';
import { ActivationLayout } from './ActivationLayout';
import { OrDivider } from './OrDivider';
import { StrategyCard } from './StrategyCard';

interface Props {
  toggle: Toggle;
  /** Why nothing here can be changed. */
  readOnly: string | undefined;
}

export function Activation({ toggle, readOnly }: Props) {
  // What somebody could edit stays editable: a service that is gone for a while must not take along what was typed.
  const [edits, setEdits] = useState(false);
  if (readOnly === undefined && !edits) setEdits(true);
  return readOnly === undefined || edits ? (
    <ActivationEditor toggle={toggle} blocked={readOnly} />
  ) : (
    <ActivationView toggle={toggle} why={readOnly} />
  );
}

function ActivationView({ toggle, why }: { toggle: Toggle; why: string }) {
  const definitions = useRead(strategies).data?.strategies;
  return (
    <ActivationLayout toggle={toggle} lint={lintToggle(toggle, definitions)}>
      <ReadOnlyNote reason={why} />
      {toggle.strategies.map((strategy, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: strategies have no name of their own, and nothing here moves.
        <Fragment key={index}>
          {index > 0 && <OrDivider />}
          <StrategyCard strategy={strategy} definitions={definitions} />
        </Fragment>
      ))}
    </ActivationLayout>
  );
}
