import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { applications as call } from '@/api/endpoints';
import type { SeenApp } from '@/api/generated/types';
import { useSettings } from '@/api/settings';
import { paths, sections } from '@/paths';
import { CopyList, copyListActions } from '@/shared/CopyList';
import { LinkButton } from '@/shared/LinkButton';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ConnectIcon, NotFoundIcon, PermissionIcon } from '@/ui/icons';
import { SecondaryActions } from '@/ui/SecondaryActions';
import { applicationColumns } from './ApplicationTable';
import { ConnectGuide } from './ConnectGuide';
import { MissingTogglesLink } from './MissingTogglesLink';

const TOKENS = sections.apiTokens.label;

interface Props {
  applications: readonly SeenApp[];
  /** The applications that match the search. */
  shown: readonly SeenApp[] | undefined;
}

/** Copies the list, goes to the missing toggles and the API tokens, and opens the guide to connect another application. */
export function ApplicationListActions({ applications, shown }: Props) {
  const navigate = useNavigate();
  const isEmbedded = useSettings()?.mode === 'embedded';
  const [isConnecting, setConnecting] = useState(false);
  const connect = () => setConnecting(true);
  const close = () => setConnecting(false);
  const copied = { items: shown, call, columns: applicationColumns };
  const items = [
    { id: 'connect', label: 'Connect', icon: <ConnectIcon />, onSelect: connect },
    {
      id: 'missing',
      label: 'Missing toggles',
      icon: <NotFoundIcon />,
      onSelect: () => void navigate(paths.missingToggles()),
    },
    ...(isEmbedded
      ? [{ id: 'tokens', label: TOKENS, icon: <PermissionIcon />, onSelect: () => void navigate(paths.apiTokens()) }]
      : []),
    ...copyListActions(copied),
  ];
  return (
    <>
      <SecondaryActions items={items}>
        <CopyList {...copied} />
        <MissingTogglesLink applications={applications} />
        {isEmbedded && (
          <LinkButton to={paths.apiTokens()} icon={<PermissionIcon />}>
            {TOKENS}
          </LinkButton>
        )}
        <Button icon={<ConnectIcon />} onClick={connect}>
          Connect
        </Button>
      </SecondaryActions>
      <Dialog
        open={isConnecting}
        title="Connect an application"
        wide
        onClose={close}
        actions={<Button onClick={close}>Close</Button>}
      >
        <ConnectGuide />
      </Dialog>
    </>
  );
}
