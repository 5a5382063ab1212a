import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import type { Role } from '../../shared/data/role.js';
import { FormDialog } from '../../shared/dialog/form-dialog.js';
import page from '../../shared/page/page.module.css';
import { Button } from '../../shared/ui/button.js';
import { Input } from '../../shared/ui/input.js';
import { expiryOf, USUAL_LIFETIME } from './expiry.js';
import { RoleSelect } from './role-select.js';
import { SecretKey } from './secret-key.js';

/** Makes a user who is a member with a key to sign in with; only administrators may. */
export function NewUser() {
  const { entity } = useProject();
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [username, setUsername] = useState('');
  const [role, setRole] = useState<Role>('annotator');
  const creating = useMutation({
    mutationFn: async (name: string) => {
      await hone.accounts.createUser({ username: name });
      await hone.accounts.putMember({ entity, username: name }, { role });
      const expires_at = expiryOf(USUAL_LIFETIME, Date.now());
      return hone.accounts.createApiKey({ label: 'first key', username: name, expires_at });
    },
    onSuccess: () => setIsOpen(false),
    onSettled: () =>
      Promise.all([['members', entity], ['users']].map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
  return (
    <>
      <p className={page['row']}>
        <Button
          onClick={() => {
            setIsOpen(true);
            setUsername('');
            creating.reset();
          }}
        >
          New user
        </Button>
      </p>
      {creating.data && (
        <>
          <p>
            {creating.variables} is a member now, and signs in with this key, which works for {USUAL_LIFETIME}.
          </p>
          <SecretKey secret={creating.data.key} />
        </>
      )}
      {isOpen && (
        <FormDialog
          title={`New user in ${entity}`}
          action="Create the user"
          {...{ isPending: creating.isPending, error: creating.error }}
          close={() => setIsOpen(false)}
          submit={() => creating.mutate(username.trim())}
        >
          <p>They get an account on this server, the role, and a key, which is shown once.</p>
          <div className={page['form']}>
            <label>
              Name
              <Input
                required
                maxLength={128}
                pattern="[A-Za-z0-9][A-Za-z0-9_.\-]*"
                title="Letters, digits, _ . and -, the first a letter or digit"
                value={username}
                onChange={({ target }) => setUsername(target.value)}
              />
            </label>
            <RoleSelect label="Role of the user" role={role} onChoose={setRole} />
          </div>
        </FormDialog>
      )}
    </>
  );
}
