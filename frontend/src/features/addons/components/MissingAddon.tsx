import { Link } from 'react-router-dom';
import { paths } from '@/paths';
import { buttonClass } from '@/ui/buttonClass';
import { Missing } from '@/ui/Missing';

export function MissingAddon({ title }: { title: string }) {
  return (
    <Missing
      title={title}
      actions={
        <Link to={paths.addons()} className={buttonClass()}>
          All addons
        </Link>
      }
    />
  );
}
