import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useDisabledReason } from '@/api/permissions';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import { RemoveIcon } from '@/ui/icons';
import { RemoveDialog } from '@/ui/RemoveDialog';
import { useApplicationWrites } from '../useApplications';

export function DeleteApplication({ name }: { name: string }) {
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  const { remove } = useApplicationWrites(name);
  const disabledReason = useDisabledReason('UPDATE_APPLICATION');
  return (
    <>
      <Button variant="danger" icon={<RemoveIcon />} disabledReason={disabledReason} onClick={() => setOpen(true)}>
        Delete
      </Button>
      <RemoveDialog
        open={open}
        noun="application"
        name={name}
        onRemove={async () => {
          await remove();
          void navigate(paths.applications());
        }}
        onClose={() => setOpen(false)}
      >
        is removed with its instances and metadata. It is listed again when it reports again.
      </RemoveDialog>
    </>
  );
}
