import { Fragment } from 'react';
import { Link } from 'wouter';

import type { CallPreview } from '../../shared/calls/previews.js';
import { type Project, useProject } from '../../shared/data/project.js';
import { callIdOf, parseRef, shortRef } from '../../shared/data/refs.js';
import { useUsernames } from '../../shared/data/usernames.js';
import type { Feedback } from '../../shared/feedback/feedback.js';
import { formatAge } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import page from '../../shared/page/page.module.css';
import { PreviewLines } from '../../shared/ui/preview-lines.js';
import { SaidInFull } from './said-in-full.js';

interface Props {
  readonly feedback: Feedback;
  /** By their ids. */
  readonly calls: ReadonlyMap<string, CallPreview>;
}

/** One judgement: what was said in full, and the call that it is of by its name and content. */
export function FeedbackRow({ feedback, calls }: Props) {
  const project = useProject();
  const now = useNow();
  const nameOf = useUsernames();
  const callId = callIdOf(project.id, feedback.trace_ref);
  return (
    <tr>
      <td>
        <SaidInFull feedback={feedback} callId={callId} />
      </td>
      <td>
        <Judged reference={feedback.trace_ref} call={callId === null ? undefined : calls.get(callId)} />
      </td>
      <td data-kind="optional" className={page['muted']}>
        {feedback.feedback_type.split('.').map((part, at) => (
          <Fragment key={at}>
            {at > 0 && (
              <>
                .<wbr />
              </>
            )}
            {part}
          </Fragment>
        ))}
      </td>
      <td data-kind="optional">{feedback.creator ?? nameOf(feedback.svc_user_id)}</td>
      <td data-kind="number" className={page['muted']}>
        {formatAge(feedback.created_at, now)}
      </td>
    </tr>
  );
}

function Judged({ reference, call }: { readonly reference: string; readonly call: CallPreview | undefined }) {
  const project = useProject();
  const path = pathOf(project, reference);
  const name = call?.title ?? shortRef(reference);
  return (
    <>
      {path === null ? name : <Link to={path}>{name}</Link>}
      {call && <PreviewLines {...call} />}
    </>
  );
}

/** The page of what was judged; null: it has none here. */
function pathOf(project: Project, ref: string): string | null {
  const parts = parseRef(ref);
  if (parts === null || parts.projectId !== project.id || parts.kind === 'table') return null;
  const name = encodeURIComponent(parts.name);
  if (parts.kind === 'call') return project.path(`calls/${name}`);
  return project.path(`objects/${name}${parts.kind === 'op' ? '?kind=op' : ''}`);
}
