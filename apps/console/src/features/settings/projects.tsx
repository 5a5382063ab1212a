import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';

import { hone } from '../../shared/data/hone.js';
import { projectOf, useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { formatAge } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { Input } from '../../shared/ui/input.js';
import { ErrorNote, Loading } from '../../shared/ui/notes.js';

const PROJECTS = ['projects'];

const COLUMNS = [{ name: 'Project', kind: 'wide' }, { name: 'Made' }] as const;

/** The projects that the session may see. */
export function Projects() {
  const now = useNow();
  const projects = useQuery({ queryKey: PROJECTS, queryFn: ({ signal }) => hone.accounts.listProjects({ signal }) });
  const { mayWrite } = useRights();
  if (projects.error) return <ErrorNote error={projects.error} retry={() => void projects.refetch()} />;
  if (!projects.data) return <Loading what="projects" />;
  return (
    <>
      {mayWrite && <NewProject />}
      <Table label="All projects" columns={COLUMNS}>
        {projects.data.data.map(({ project_id, created_at }) => (
          <tr key={project_id}>
            <td>
              <Link to={projectOf(project_id).path()}>{project_id}</Link>
            </td>
            <td className={page['muted']}>{formatAge(created_at, now)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function NewProject() {
  const { entity } = useProject();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const creating = useMutation({
    mutationFn: () => hone.accounts.createProject({ entity, name: name.trim() }),
    onSuccess: async () => {
      setName('');
      await queries.invalidateQueries({ queryKey: PROJECTS });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <>
      <form className={page['form']} onSubmit={submit} aria-label="New project">
        <label>
          Name of a new project of {entity}
          <Input required maxLength={128} value={name} onChange={({ target }) => setName(target.value)} />
        </label>
        <Button type="submit" disabled={creating.isPending || name.trim() === ''}>
          Create project
        </Button>
      </form>
      {creating.error && <ErrorNote error={creating.error} />}
    </>
  );
}
