import type { ObjectVersionDto } from '@hone/client';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { useRights } from '../../shared/data/role.js';
import { useSearchState, useSearchValues } from '../../shared/data/search-state.js';
import { useUsernames } from '../../shared/data/usernames.js';
import { formatTime } from '../../shared/format/format.js';
import { dashboardName } from '../../shared/objects/use-dashboards.js';
import { useObjectValue, useObjectVersions, versionOf } from '../../shared/objects/use-object.js';
import { Page } from '../../shared/page/page.js';
import page from '../../shared/page/page.module.css';
import { PendingPage } from '../../shared/page/pending-page.js';
import { SpanSelect } from '../../shared/time-span/span-select.js';
import { Button } from '../../shared/ui/button.js';
import { LongText } from '../../shared/ui/long-text.js';
import { EmptyNote } from '../../shared/ui/notes.js';
import { Board } from './board.js';
import { type DashboardValue, readDashboard } from './dashboard.js';
import styles from './dashboards.module.css';
import { DraftBar } from './draft-bar.js';
import { type Draft, useDraft } from './use-draft.js';

const POLL_MS = 5_000;

/** Charts that somebody has arranged, over one time. */
export default function DashboardPage({ id }: { readonly id: string }) {
  const project = useProject();
  const [wanted] = useSearchState('version');
  const versions = useObjectVersions(id, '', POLL_MS);
  const newest = versions.data?.find(({ is_latest }) => is_latest === 1);
  const shown = wanted === '' ? newest : versions.data && versionOf(versions.data, wanted);
  const value = useObjectValue(shown);
  const [draft, setDraft] = useDraft(id);
  const back = <Link to={project.path('dashboards')}>Dashboards</Link>;
  if (versions.data && !shown && draft === null)
    return (
      <Page title={id} back={back}>
        <EmptyNote title="There is no such dashboard">
          <p>It was deleted, or its name is another.</p>
        </EmptyNote>
      </Page>
    );
  if (!versions.data || (draft === null && value.data === undefined)) {
    const error = versions.data ? value.error : versions.error;
    const retry = () => void (versions.data ? value : versions).refetch();
    return <PendingPage title={id} what="the dashboard" {...{ back, error, retry }} />;
  }
  const saved = (value.data ?? {}) as DashboardValue;
  return <Shown {...{ id, saved, newest, shown, draft, setDraft, back }} />;
}

interface Props {
  /** Of its object. */
  readonly id: string;
  /** The value of the version that is shown. */
  readonly saved: DashboardValue;
  /** Undefined: all were deleted while it was changed. */
  readonly newest: ObjectVersionDto | undefined;
  readonly shown: ObjectVersionDto | undefined;
  readonly draft: Draft | null;
  readonly setDraft: (draft: Draft | null) => void;
  readonly back: ReactNode;
}

function Shown({ id, saved, newest, shown, draft, setDraft, back }: Props) {
  const { mayWrite } = useRights();
  const value = draft?.value ?? saved;
  const dashboard = useMemo(() => readDashboard(value), [value]);
  const { spanName, isCompared } = dashboard;
  const defaults = useMemo(() => ({ span: spanName, compare: isCompared ? 'on' : 'off' }), [spanName, isCompared]);
  const [of, set] = useSearchValues(defaults);
  const change = (to: DashboardValue) => setDraft({ base: draft ? draft.base : (shown?.digest ?? null), value: to });
  const setSpan = (span: string) => {
    set('span', span);
    // What is saved opens with the time that was chosen while it was changed.
    if (draft) change({ ...value, time_span: span });
  };
  const setCompared = (compare: boolean) => {
    set('compare', compare ? 'on' : 'off');
    if (draft) change({ ...value, compare });
  };
  const isComparing = of('compare') === 'on';
  return (
    <Page
      title={dashboardName(value, id)}
      back={back}
      actions={
        <>
          <SpanSelect value={of('span')} onChange={setSpan} />
          <Button aria-pressed={isComparing} onClick={() => setCompared(!isComparing)}>
            Compare with the time before
          </Button>
          {mayWrite && draft === null && <Button onClick={() => change(value)}>Edit</Button>}
        </>
      }
    >
      <div className={page['body']}>
        {draft ? (
          <DraftBar {...{ id, draft, newest, setDraft }} />
        ) : (
          shown && newest && shown.digest !== newest.digest && <OlderNote shown={shown} newest={newest} />
        )}
        {dashboard.description !== '' && (
          <div className={page['text']}>
            <LongText text={dashboard.description} />
          </div>
        )}
        {dashboard.problems.length > 0 && (
          <ul className={styles['problems']} aria-label="What of the dashboard cannot be shown">
            {dashboard.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )}
        <Board
          {...{ value, dashboard, spanName: of('span'), isCompared: isComparing }}
          change={mayWrite ? change : null}
          isEditing={draft !== null}
        />
        {shown && <VersionNote version={shown} />}
      </div>
    </Page>
  );
}

/** Which version is shown, and where the others are. */
function VersionNote({ version }: { readonly version: ObjectVersionDto }) {
  const project = useProject();
  const nameOf = useUsernames();
  const { object_id, version_index, svc_user_id, created_at } = version;
  return (
    <p className={page['muted']}>
      v{version_index}, saved by {nameOf(svc_user_id)} at {formatTime(created_at).slice(0, 16)}.{' '}
      <Link to={project.path(`objects/${encodeURIComponent(object_id)}`)}>All versions</Link>
    </p>
  );
}

interface OlderProps {
  readonly shown: ObjectVersionDto;
  readonly newest: ObjectVersionDto;
}

/** The address names a version that is not the newest. */
function OlderNote({ shown, newest }: OlderProps) {
  const [, setVersion] = useSearchState('version');
  return (
    <div className={styles['note']} role="status">
      This is v{shown.version_index}; there is a newer one, v{newest.version_index}.
      <Button onClick={() => setVersion('')}>Show v{newest.version_index}</Button>
    </div>
  );
}
