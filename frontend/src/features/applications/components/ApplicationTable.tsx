import { Link } from 'react-router-dom';
import type { SeenApp } from '@/api/generated/types';
import { MAX_TEXT_LENGTH, truncate } from '@/lib/truncate';
import { paths } from '@/paths';
import { ColumnHeader } from '@/ui/ColumnHeader';
import { PlainCell, PlainRow, PlainTable } from '@/ui/PlainTable';
import { Time } from '@/ui/Time';
import { AppIcon } from './AppIcon';

const DESCRIPTION_LENGTH = 60;

export function ApplicationTable({ applications }: { applications: readonly SeenApp[] }) {
  return (
    <PlainTable
      label="Applications"
      columns={
        <>
          <ColumnHeader className="w-2/5">Name</ColumnHeader>
          <ColumnHeader>Description</ColumnHeader>
          <ColumnHeader className="w-32">Last report</ColumnHeader>
        </>
      }
      rows={applications}
    >
      {(application) => (
        <PlainRow key={application.appName} heading={<Name application={application} />}>
          <Description text={application.description ?? ''} />
          <PlainCell className="whitespace-nowrap text-muted">
            <span className="sm:hidden">Last report </span>
            <Time value={application.updatedAt ?? application.createdAt} />
          </PlainCell>
        </PlainRow>
      )}
    </PlainTable>
  );
}

/** Link to the application. A tooltip shows truncated texts. */
function Name({ application: { appName, icon, description } }: { application: SeenApp }) {
  const isCut = appName.length > MAX_TEXT_LENGTH;
  const cut = [isCut && appName, (description ?? '').length > DESCRIPTION_LENGTH && description].filter(Boolean);
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <AppIcon name={icon} />
      <Link
        to={paths.application(appName)}
        aria-label={isCut ? appName : undefined}
        data-reason={cut.length > 0 ? cut.join(' — ') : undefined}
        className="min-w-0 hover:text-accent hover:underline"
      >
        {truncate(appName)}
      </Link>
    </span>
  );
}

function Description({ text }: { text: string }) {
  return (
    <PlainCell className="text-muted">
      {text !== '' && (
        <span data-reason={text.length > DESCRIPTION_LENGTH ? text : undefined}>
          {truncate(text, DESCRIPTION_LENGTH)}
        </span>
      )}
    </PlainCell>
  );
}
