import { changePermissions, users } from '@/api/endpoints';
import type { Account } from '@/api/generated/types';
import { pushInfo } from '@/api/notices';
import { useProfile } from '@/api/permissions';
import { useRead } from '@/api/useRead';
import { useWrite } from '@/api/useWrite';
import { sections } from '@/paths';
import { Form } from '@/shared/Form';
import { FormPage } from '@/shared/FormPage';
import { useOpenPage } from '@/shared/navigation';
import { ResourceNotFound } from '@/shared/ResourceNotFound';
import { useForm } from '@/shared/useForm';
import { useRouteParams } from '@/shared/useRouteParams';
import { ItemLoader } from '@/ui/ItemLoader';
import { PermissionFields } from './PermissionFields';
import { ADMIN, changeOf } from './permissions';
import { SignInBoundary } from './SignInBoundary';

/** Edits the permissions of a user. */
export function UserEditPage() {
  return (
    <SignInBoundary hasAccounts>
      <EditPage />
    </SignInBoundary>
  );
}

function EditPage() {
  const { name = '' } = useRouteParams();
  const { data, error, reload } = useRead(users);
  return (
    <FormPage title={`Edit ${name}`} within={sections.users}>
      <ItemLoader
        noun="user"
        id={name}
        item={data?.users.find(({ username }) => username === name)}
        isLoaded={data !== undefined}
        error={error}
        reload={reload}
        notFound={<ResourceNotFound title="Could not find the user" within={sections.users} />}
      >
        {(account) => <PermissionForm account={account} />}
      </ItemLoader>
    </FormPage>
  );
}

function PermissionForm({ account: { username, permissions } }: { account: Account }) {
  const { send } = useWrite();
  const open = useOpenPage();
  const ownName = useProfile()?.username;
  const form = useForm<{ permissions: string[] }, readonly string[]>({
    start: { permissions },
    base: permissions,
    rules: () => ({}),
    // Only the difference: a colleague may have changed others meanwhile.
    save: async (input, before) => {
      const body = changeOf(before, input.permissions);
      await send(changePermissions(username), { body, refreshes: [users], inline: true });
      pushInfo(`The permissions of ${username} were changed.`);
    },
    onSaved: () => void open(sections.users.path),
  });
  const { input, updateInput } = form;
  const losesOwnAdmin = username === ownName && permissions.includes(ADMIN) && !input.permissions.includes(ADMIN);
  return (
    <Form
      form={form}
      submitLabel="Save"
      permission="ADMIN"
      cancel={sections.users.path}
      effect={losesOwnAdmin && <p>This is your own account: you can no longer manage users.</p>}
    >
      <PermissionFields
        permissions={input.permissions}
        onChange={(chosen) => updateInput(() => ({ permissions: chosen }))}
      />
    </Form>
  );
}
