import { useNavigate } from 'react-router-dom';
import { usePermission } from '@/api/permissions';
import { paths } from '@/paths';
import { Button } from '@/ui/Button';
import { describeRemoval } from '@/ui/describeRemoval';
import { RemoveIcon } from '@/ui/icons';
import { useConfirm } from '@/ui/useConfirm';
import { useApplicationWrites } from '../useApplications';

export function DeleteApplication({ name }: { name: string }) {
  const navigate = useNavigate();
  const { remove } = useApplicationWrites(name);
  const disabledReason = usePermission('UPDATE_APPLICATION');
  const removal = useConfirm(() =>
    describeRemoval({
      noun: 'application',
      name,
      consequences: 'is removed with its instances and metadata. It is listed again when it reports again.',
      action: async () => {
        await remove();
        void navigate(paths.applications());
      },
    }),
  );
  return (
    <>
      <Button variant="danger" icon={<RemoveIcon />} disabledReason={disabledReason} onClick={() => void removal.ask()}>
        Delete
      </Button>
      {removal.dialog}
    </>
  );
}
