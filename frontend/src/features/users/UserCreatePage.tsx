import { useState } from 'react';
import { addUser, users } from '@/api/endpoints';
import type { AccountDraft, AccountWithPassword } from '@/api/generated/types';
import { pushInfo } from '@/api/notices';
import { useWrite } from '@/api/useWrite';
import { useIsMounted } from '@/lib/useIsMounted';
import { sections } from '@/paths';
import { Form } from '@/shared/Form';
import { FormPage } from '@/shared/FormPage';
import { LinkButton } from '@/shared/LinkButton';
import { bindFields, useForm } from '@/shared/useForm';
import { Card } from '@/ui/Card';
import { TextField } from '@/ui/TextField';
import { describeKeptPassword, newPasswords } from './newPasswords';
import { OneTimePassword } from './OneTimePassword';
import { PermissionFields } from './PermissionFields';
import { SignInBoundary } from './SignInBoundary';

export function UserCreatePage() {
  // Not in the URL: the password must not be in the browser's history.
  const [added, setAdded] = useState<AccountWithPassword>();
  return (
    <SignInBoundary hasAccounts>
      <FormPage title={added ? `${added.username} was added` : 'New user'} within={sections.users}>
        {added ? (
          <div className="grid max-w-180 gap-6">
            <Card>
              <OneTimePassword account={added} />
            </Card>
            <LinkButton to={sections.users.path} className="justify-self-start" onClick={newPasswords.discard}>
              Done
            </LinkButton>
          </div>
        ) : (
          <UserForm onAdded={setAdded} />
        )}
      </FormPage>
    </SignInBoundary>
  );
}

interface UserInput {
  username: string;
  name: string;
  email: string;
  permissions: string[];
}

function UserForm({ onAdded }: { onAdded: (added: AccountWithPassword) => void }) {
  const { send } = useWrite();
  const isMounted = useIsMounted();
  const form = useForm<UserInput>({
    start: { username: '', name: '', email: '', permissions: [] },
    rules: ({ username }) => ({ username: username.trim() === '' ? 'Enter a user name.' : undefined }),
    save: async (input) => {
      const added = await newPasswords.keep(send(addUser, { body: toDraft(input), refreshes: [users], inline: true }));
      if (!added) return;
      if (isMounted.current) onAdded(added);
      else pushInfo(`${added.username} was added. ${describeKeptPassword(added)}`);
    },
    idField: 'username',
  });
  const { input, updateInput } = form;
  const bind = bindFields(form.fields);
  return (
    <Form form={form} isNew submitLabel="Add" permission="ADMIN" cancel={sections.users.path}>
      <Card>
        <div className="grid gap-4">
          <TextField
            label="User name"
            required
            data-first-focus
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            help="Letters, digits and . _ - @ +. It cannot be changed later."
            {...bind('username')}
          />
          <TextField label="Full name" autoComplete="off" {...bind('name')} />
          <TextField
            label="Email"
            type="email"
            autoComplete="off"
            help="Changes are recorded under it instead of the user name."
            {...bind('email')}
          />
        </div>
      </Card>
      <PermissionFields
        permissions={input.permissions}
        onChange={(permissions) => updateInput((latest) => ({ ...latest, permissions }))}
      />
    </Form>
  );
}

function toDraft({ username, name, email, permissions }: UserInput): AccountDraft {
  return { username: username.trim(), name: name.trim() || null, email: email.trim() || null, permissions };
}
