import { useState } from 'react';
import { Link, useLocation } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useUsernames } from '../../shared/data/usernames.js';
import { FormDialog } from '../../shared/dialog/form-dialog.js';
import { formatAge } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import { type ListedDashboard, useDashboards } from '../../shared/objects/use-dashboards.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Button } from '../../shared/ui/button.js';
import { Input } from '../../shared/ui/input.js';
import { EmptyNote, ErrorNote, Loading } from '../../shared/ui/notes.js';
import { useCreate, useDelete } from './use-save.js';

const COLUMNS = [
  { name: 'Dashboard', kind: 'wide' },
  { name: 'Charts', kind: 'number' },
  { name: 'Version' },
  { name: 'Saved', kind: 'optional' },
  { name: 'Delete', isHidden: true },
] as const;

/** The dashboards of the project. */
export default function DashboardsPage() {
  const { mayWrite } = useRights();
  const dashboards = useDashboards();
  const [isMaking, setMaking] = useState(false);
  const [deleted, setDeleted] = useState<ListedDashboard | null>(null);
  return (
    <Page
      title="Dashboards"
      actions={
        mayWrite && (
          <Button kind="primary" onClick={() => setMaking(true)}>
            New dashboard
          </Button>
        )
      }
    >
      {dashboards.error ? (
        <ErrorNote error={dashboards.error} retry={() => void dashboards.refetch()} />
      ) : !dashboards.data ? (
        <Loading what="dashboards" />
      ) : dashboards.data.length === 0 ? (
        <EmptyNote title="No dashboards yet">
          <p>
            A dashboard is charts of your choice about the calls of this project: spend by model, failures by op,
            ratings by scorer. Everybody in the project sees it; its address shares it.
          </p>
        </EmptyNote>
      ) : (
        <Table label="Dashboards" columns={COLUMNS}>
          {dashboards.data.map((dashboard) => (
            <Row key={dashboard.id} {...{ dashboard, remove: mayWrite ? () => setDeleted(dashboard) : null }} />
          ))}
        </Table>
      )}
      {isMaking && <NewDashboard close={() => setMaking(false)} />}
      {deleted && <DeleteDashboard dashboard={deleted} close={() => setDeleted(null)} />}
    </Page>
  );
}

interface RowProps {
  readonly dashboard: ListedDashboard;
  /** Null: one may not. */
  readonly remove: (() => void) | null;
}

function Row({ dashboard: { id, name, charts, version, savedAt, userId }, remove }: RowProps) {
  const project = useProject();
  const nameOf = useUsernames();
  const now = useNow();
  return (
    <tr>
      <td>
        <Link to={project.path(`dashboards/${encodeURIComponent(id)}`)}>{name}</Link>
      </td>
      <td data-kind="number">{charts}</td>
      <td>v{version}</td>
      <td data-kind="optional" className={page['muted']}>
        {formatAge(savedAt, now)} by {nameOf(userId)}
      </td>
      <td>
        {remove && (
          <Button aria-label={`Delete ${name}`} onClick={remove}>
            Delete
          </Button>
        )}
      </td>
    </tr>
  );
}

function NewDashboard({ close }: { readonly close: () => void }) {
  const project = useProject();
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const creating = useCreate();
  const submit = () =>
    creating.mutate(name, {
      onSuccess: (id) => navigate(project.path(`dashboards/${encodeURIComponent(id)}`)),
    });
  return (
    <FormDialog
      title="New dashboard"
      action="Make the dashboard"
      isPending={creating.isPending}
      error={creating.error}
      isReady={name.trim() !== ''}
      {...{ submit, close }}
    >
      <label>
        Name
        <Input required maxLength={120} value={name} onChange={({ target }) => setName(target.value)} />
      </label>
    </FormDialog>
  );
}

interface DeleteProps {
  readonly dashboard: ListedDashboard;
  readonly close: () => void;
}

function DeleteDashboard({ dashboard: { id, name, version }, close }: DeleteProps) {
  const deleting = useDelete();
  return (
    <FormDialog
      title={`Delete “${name}”?`}
      action="Delete the dashboard"
      isPending={deleting.isPending}
      error={deleting.error}
      submit={() => deleting.mutate(id, { onSuccess: close })}
      close={close}
    >
      <p>{version === 0 ? 'It' : `All its versions up to v${version}`} will be gone for everybody. The calls stay.</p>
    </FormDialog>
  );
}
