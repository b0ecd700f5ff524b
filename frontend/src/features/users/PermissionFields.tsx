import { capitalise } from '@/lib/text';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { ACTIONS, ADMIN, groups } from './permissions';

interface Props {
  permissions: readonly string[];
  onChange: (permissions: string[]) => void;
}

/** The permissions of a user: everything, or a table of items and actions. */
export function PermissionFields({ permissions, onChange }: Props) {
  const isAdministrator = permissions.includes(ADMIN);
  const toggle = (permission: string, isGranted: boolean) =>
    onChange(isGranted ? [...permissions, permission] : permissions.filter((one) => one !== permission));
  return (
    <Card>
      <fieldset className="grid min-w-0 gap-4">
        <legend className="mb-3 font-semibold">Permissions</legend>
        <Checkbox
          label="Administrator"
          help="May do everything, also add users and change their permissions."
          checked={isAdministrator}
          onChange={(isGranted) => toggle(ADMIN, isGranted)}
        />
        {isAdministrator || <PermissionTable permissions={permissions} onToggle={toggle} />}
      </fieldset>
    </Card>
  );
}

interface TableProps {
  permissions: readonly string[];
  onToggle: (permission: string, isGranted: boolean) => void;
}

function PermissionTable({ permissions, onToggle }: TableProps) {
  return (
    <>
      <p className="text-muted text-secondary">Every user can read everything. Grant what the user may change.</p>
      <table className="w-full max-w-120">
        <thead className="text-muted text-secondary">
          <tr>
            <th scope="col" className="sr-only">
              Items
            </th>
            {ACTIONS.map((action) => (
              <th key={action} scope="col" className="w-18 px-2 py-1.5 font-medium">
                {capitalise(action)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map(({ kind, byAction }) => (
            <tr key={kind} className="border-line border-t">
              <th scope="row" className="py-1.5 text-left font-normal">
                {capitalise(kind)}
              </th>
              {ACTIONS.map((action) => {
                const grantable = byAction[action];
                return (
                  <td key={action} className="px-2 text-center">
                    {grantable && (
                      <label className="inline-flex min-h-8 min-w-8 items-center justify-center touch:min-h-touch touch:min-w-touch">
                        <input
                          type="checkbox"
                          aria-label={`${capitalise(grantable.verb)} ${kind}`}
                          checked={permissions.includes(grantable.permission)}
                          onChange={(event) => onToggle(grantable.permission, event.target.checked)}
                        />
                      </label>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
