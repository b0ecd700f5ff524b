import type { SeenApp } from '@/api/generated/types';
import { MAX_TEXT_LENGTH, truncate } from '@/lib/text';
import { paths } from '@/paths';
import { TextLink } from '@/shared/TextLink';
import { type Column, textColumn } from '@/ui/Column';
import { PlainTable } from '@/ui/PlainTable';
import { Time } from '@/ui/Time';
import { AppIcon } from './AppIcon';

const DESCRIPTION_LENGTH = 60;

export const applicationColumns: readonly Column<SeenApp>[] = [
  textColumn('Name', ({ appName }) => appName, {
    width: '40%',
    cell: (application) => <Name application={application} />,
    copyHeader: 'Application',
    href: ({ appName }) => paths.application(appName),
  }),
  textColumn('Description', ({ description }) => description, {
    className: 'text-muted',
    cell: ({ description }) => description && <Description text={description} />,
  }),
  { header: 'Strategy', search: ({ strategies }) => strategies ?? [] },
  {
    header: 'Last report',
    width: '8rem',
    className: 'whitespace-nowrap text-muted',
    phoneLabel: 'Last report',
    cell: ({ updatedAt, createdAt }) => <Time value={updatedAt ?? createdAt} />,
    copy: ({ updatedAt }) => updatedAt,
  },
];

export function ApplicationTable({ applications }: { applications: readonly SeenApp[] }) {
  return (
    <PlainTable
      label="Applications"
      columns={applicationColumns}
      rows={applications}
      rowKey={({ appName }) => appName}
    />
  );
}

/** Link to the application. A tooltip shows truncated texts. */
function Name({ application: { appName, icon, description } }: { application: SeenApp }) {
  const isCut = appName.length > MAX_TEXT_LENGTH;
  const cut = [isCut && appName, (description ?? '').length > DESCRIPTION_LENGTH && description].filter(Boolean);
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <AppIcon name={icon} />
      <TextLink
        to={paths.application(appName)}
        aria-label={isCut ? appName : undefined}
        data-reason={cut.length > 0 ? cut.join(' — ') : undefined}
        className="min-w-0"
      >
        {truncate(appName)}
      </TextLink>
    </span>
  );
}

function Description({ text }: { text: string }) {
  return (
    <span data-reason={text.length > DESCRIPTION_LENGTH ? text : undefined}>{truncate(text, DESCRIPTION_LENGTH)}</span>
  );
}
