import { type FormEvent, useState } from 'react';
import { Link, useSearch } from 'wouter';

import { useProject } from '../../../shared/data/project.js';
import { useRights } from '../../../shared/data/role.js';
import { useUsernames } from '../../../shared/data/usernames.js';
import { Dialog } from '../../../shared/dialog/dialog.js';
import form from '../../../shared/dialog/dialog.module.css';
import { formatTime } from '../../../shared/format/format.js';
import page from '../../../shared/page/page.module.css';
import { Button } from '../../../shared/ui/button.js';
import { Input } from '../../../shared/ui/input.js';
import { EmptyNote, ErrorNote, Loading } from '../../../shared/ui/notes.js';
import { keptSearch, toViewId } from './saved-view.js';
import { useDeleteView, useSaveView, useViews, type View } from './use-views.js';
import styles from './views.module.css';

/** The saved views of the project: open one, or keep what the address says now. */
export function ViewsDialog({ close }: { readonly close: () => void }) {
  const { mayWrite } = useRights();
  const views = useViews();
  return (
    <Dialog title="Saved views" close={close}>
      <div className={page['section']}>
        {mayWrite && <SaveForm views={views.data ?? []} />}
        {views.error ? (
          <ErrorNote error={views.error} retry={() => void views.refetch()} />
        ) : !views.data ? (
          <Loading what="views" />
        ) : views.data.length === 0 ? (
          <EmptyNote title="No saved views yet">
            <p>A view keeps filters, query, columns and order under a name, for everybody in the project.</p>
          </EmptyNote>
        ) : (
          <ul className={styles['list']} aria-label="Views">
            {views.data.map((view) => (
              <ViewItem key={view.id} view={view} mayWrite={mayWrite} close={close} />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

function SaveForm({ views }: { readonly views: readonly View[] }) {
  const search = useSearch();
  const [label, setLabel] = useState('');
  const saving = useSaveView();
  const isThere = views.some(({ id }) => id === toViewId(label));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate({ label, search }, { onSuccess: () => setLabel('') });
  };
  return (
    <form className={form['form']} onSubmit={submit} aria-label="Save this view">
      <label>
        Save what is shown now as
        <span className={page['row']}>
          <Input
            className={page['grow'] ?? ''}
            required
            maxLength={120}
            value={label}
            onChange={({ target }) => setLabel(target.value)}
          />
          <Button type="submit" kind="primary" disabled={saving.isPending || label.trim() === ''}>
            Save
          </Button>
        </span>
        {isThere && <span className={form['hint']}>There is such a view: a new version of it is made.</span>}
      </label>
      {saving.error && <ErrorNote error={saving.error} />}
    </form>
  );
}

interface ItemProps {
  readonly view: View;
  readonly mayWrite: boolean;
  readonly close: () => void;
}

function ViewItem({ view, mayWrite, close }: ItemProps) {
  const project = useProject();
  const nameOf = useUsernames();
  const search = useSearch();
  const saving = useSaveView();
  const deleting = useDeleteView();
  const [isDeleting, setIsDeleting] = useState(false);
  const isShown = keptSearch(search) === view.search;
  const error = saving.error ?? deleting.error;
  return (
    <li>
      <Link to={`${project.path('calls')}?${view.search}`} onClick={close} aria-current={isShown ? 'true' : undefined}>
        {view.label}
      </Link>
      <span className={page['muted']}>
        v{view.version}, {formatTime(view.savedAt).slice(0, 16)} by {nameOf(view.userId)}
        {isShown && ', shown now'}
      </span>
      {mayWrite && (
        <span className={page['row']}>
          <Button
            disabled={isShown || saving.isPending}
            aria-label={`Overwrite ${view.label}`}
            onClick={() => saving.mutate({ id: view.id, label: view.label, search })}
          >
            Overwrite
          </Button>
          {isDeleting ? (
            <>
              <Button kind="primary" disabled={deleting.isPending} onClick={() => deleting.mutate(view.id)}>
                Delete all versions
              </Button>
              <Button onClick={() => setIsDeleting(false)}>Keep</Button>
            </>
          ) : (
            <Button aria-label={`Delete ${view.label}`} onClick={() => setIsDeleting(true)}>
              Delete
            </Button>
          )}
        </span>
      )}
      {error && <ErrorNote error={error} />}
    </li>
  );
}
