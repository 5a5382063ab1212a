import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { hone } from '../../shared/data/hone.js';
import { useProject } from '../../shared/data/project.js';
import { type Role, ROLES, useRights } from '../../shared/data/role.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { Input } from '../../shared/ui/input.js';
import { ErrorNote, Loading } from '../../shared/ui/notes.js';
import { NewUser } from './new-user.js';
import { RoleSelect } from './role-select.js';

const COLUMNS = [{ name: 'User', kind: 'wide' }, { name: 'Role' }, { name: 'Do', isHidden: true }] as const;

/** Who may do what in the entity of the project. Its owners change it. */
export function Members() {
  const { entity } = useProject();
  const queries = useQueryClient();
  const { mayOwn, mayAdminister } = useRights();
  const key = ['members', entity];
  const members = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => hone.accounts.listMembers({ entity }, { signal }),
  });
  const onSettled = () => queries.invalidateQueries({ queryKey: key });
  const putting = useMutation({
    mutationFn: ({ username, role }: { readonly username: string; readonly role: Role }) =>
      hone.accounts.putMember({ entity, username }, { role }),
    onSettled,
  });
  const removing = useMutation({
    mutationFn: (username: string) => hone.accounts.deleteMember({ entity, username }),
    onSettled,
  });
  const remove = (username: string) => {
    if (confirm(`Remove ${username} from ${entity}?`)) removing.mutate(username);
  };
  const error = putting.error ?? removing.error;
  if (members.error && !members.data) return <ErrorNote error={members.error} retry={() => void members.refetch()} />;
  if (!members.data) return <Loading what="members" />;
  return (
    <>
      <p className={page['muted']}>
        Of {entity} and all its projects. Each role includes those before it: {ROLES.join(', ')}.
      </p>
      {mayOwn && <NewMember onAdd={(username, role) => putting.mutate({ username, role })} />}
      {error && <ErrorNote error={error} />}
      {mayAdminister && <NewUser />}
      <Table label="People" columns={COLUMNS}>
        {members.data.data.map(({ username, role }) => (
          <tr key={username}>
            <td>{username}</td>
            <td>
              {mayOwn ? (
                <RoleSelect
                  label={`Role of ${username}`}
                  role={role as Role}
                  onChoose={(chosen) => putting.mutate({ username, role: chosen })}
                />
              ) : (
                role
              )}
            </td>
            <td>
              {mayOwn && (
                <Button aria-label={`Remove ${username}`} onClick={() => remove(username)}>
                  Remove
                </Button>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function NewMember({ onAdd }: { readonly onAdd: (username: string, role: Role) => void }) {
  const [username, setUsername] = useState('');
  const [role, setRole] = useState<Role>('annotator');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAdd(username.trim(), role);
    setUsername('');
  };
  return (
    <form className={page['form']} onSubmit={submit} aria-label="New member">
      <label>
        User
        <Input required maxLength={128} value={username} onChange={({ target }) => setUsername(target.value)} />
      </label>
      <RoleSelect label="Role" role={role} onChoose={setRole} />
      <Button type="submit" disabled={username.trim() === ''}>
        Add member
      </Button>
    </form>
  );
}
