import type { ObjectVersionDto } from '@hone/client';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { useSearchState } from '../../shared/data/search-state.js';
import { useUsernames } from '../../shared/data/usernames.js';
import { formatTime } from '../../shared/format/format.js';
import { dashboardName } from '../../shared/objects/use-dashboards.js';
import page from '../../shared/page/page.module.css';
import { Button } from '../../shared/ui/button.js';
import { Input } from '../../shared/ui/input.js';
import { ErrorNote } from '../../shared/ui/notes.js';
import styles from './dashboards.module.css';
import type { Draft } from './use-draft.js';
import { useSave } from './use-save.js';

interface Props {
  /** Of the dashboard's object. */
  readonly id: string;
  readonly draft: Draft;
  /** Undefined: all versions were deleted. */
  readonly newest: ObjectVersionDto | undefined;
  readonly setDraft: (draft: Draft | null) => void;
}

/** Names the dashboard that is changed, saves it or discards the change, and says where somebody else was quicker. */
export function DraftBar({ id, draft, newest, setDraft }: Props) {
  const [, setVersion] = useSearchState('version');
  const saving = useSave();
  const { base, value } = draft;
  const after = newest?.digest ?? null;
  const isBehind = base !== after;
  const save = () =>
    saving.mutate(
      { objectId: id, value, after },
      {
        onSuccess: () => {
          setDraft(null);
          setVersion('');
        },
      },
    );
  return (
    <section className={page['section']} aria-label="Change the dashboard">
      {isBehind && <BehindNote id={id} newest={newest} />}
      <div className={page['form']}>
        <label className={page['grow']}>
          Name
          <Input
            required
            maxLength={120}
            value={typeof value['name'] === 'string' ? value['name'] : dashboardName(value, id)}
            onChange={({ target }) => setDraft({ base, value: { ...value, name: target.value } })}
          />
        </label>
        <Button kind="primary" disabled={saving.isPending} onClick={save}>
          {isBehind && newest ? `Save mine after v${newest.version_index}` : 'Save as a new version'}
        </Button>
        <Button onClick={() => setDraft(null)}>Discard changes</Button>
      </div>
      {saving.error && <ErrorNote error={saving.error} />}
    </section>
  );
}

interface BehindProps {
  readonly id: string;
  readonly newest: ObjectVersionDto | undefined;
}

function BehindNote({ id, newest }: BehindProps) {
  const project = useProject();
  const nameOf = useUsernames();
  if (!newest)
    return (
      <p className={styles['note']} role="status">
        This dashboard was deleted while you changed it. Saving makes it anew.
      </p>
    );
  const { version_index, digest, svc_user_id, created_at } = newest;
  const path = project.path(`objects/${encodeURIComponent(id)}?version=${digest}`);
  return (
    <p className={styles['note']} role="status">
      <span>
        There is a newer version than the one that you began from: v{version_index}, saved by {nameOf(svc_user_id)} at{' '}
        {formatTime(created_at).slice(0, 16)}. <Link to={path}>Look at it</Link>; what you changed stays here. If you
        save, yours is the newest, and theirs stays among the versions.
      </span>
    </p>
  );
}
