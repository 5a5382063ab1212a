import { ThumbsDown, ThumbsUp } from 'lucide-react';
import type { ReactNode } from 'react';

import { modelTitle } from '../../../shared/data/model-names.js';
import { useProject } from '../../../shared/data/project.js';
import { shortRef } from '../../../shared/data/refs.js';
import { useUsernames } from '../../../shared/data/usernames.js';
import {
  formatAge,
  formatCost,
  formatCount,
  formatDuration,
  formatTime,
  shortOpName,
} from '../../../shared/format/format.js';
import type { Column } from '../columns/columns.js';
import { belowText, StatusMark } from '../status-mark.js';
import { type CallJudgements, printJudgements } from './judgements.js';
import styles from './list.module.css';
import type { ListedCall } from './listed-call.js';

/** What a column shows of a call. @param now Unix milliseconds */
export function cellOf(
  row: ListedCall,
  { id, field }: Column,
  judgements: CallJudgements | undefined,
  now: number,
): ReactNode {
  const text = row.cells[field ?? ''] ?? '';
  switch (id) {
    case 'status':
      return <StatusMark status={row.status} errorsBelow={row.errorsBelow} />;
    case 'name':
      return row.displayName ?? shortOpName(row.opName);
    case 'output_preview':
      return <Outcome row={row} output={text} />;
    case 'model':
      return <Models ids={row.models} />;
    case 'tokens':
      return row.tokens === null ? '' : formatCount(row.tokens);
    case 'cost':
      return row.cost === null ? '' : formatCost(row.cost);
    case 'feedback':
      return judgements && <Judgements judgements={judgements} />;
    case 'spans':
      return row.trace ? formatCount(row.trace.calls) : '';
    case 'started_at':
      return formatAge(row.startedAt, now);
    case 'latency_ms':
      return formatDuration(row.latencyMs);
    case 'prompt':
      return shortRef(text);
    case 'op_name':
      return shortRef(text);
    case 'user':
    case 'svc_user_id':
      return text === '' ? '' : <Username id={text} />;
    default:
      return text;
  }
}

function Models({ ids }: { readonly ids: readonly string[] }) {
  const { id: projectId } = useProject();
  return ids.map((id) => modelTitle(id, projectId)).join(', ');
}

/** What a cell says in full where it is cut or put short. */
export function titleOf(
  row: ListedCall,
  { id, field }: Column,
  judgements: CallJudgements | undefined,
): string | undefined {
  const text = row.cells[field ?? ''] ?? '';
  const ofTrace = row.trace && row.trace.calls > 1 ? `of all ${formatCount(row.trace.calls)} calls of the trace` : '';
  switch (id) {
    case 'name':
      return row.displayName ?? shortOpName(row.opName);
    case 'output_preview':
      return row.failure || text || undefined;
    case 'model':
      return row.models.join(', ') || undefined;
    case 'tokens':
      return row.tokens === null ? undefined : `${row.tokens} tokens ${ofTrace}`.trim();
    case 'cost':
      return row.cost === null ? undefined : `${row.cost} US dollars ${ofTrace}`.trim();
    case 'feedback':
      return judgements && printJudgements(judgements);
    case 'started_at':
      return formatTime(row.startedAt);
    case 'status':
    case 'latency_ms':
    case 'spans':
      return undefined;
    default:
      return text || undefined;
  }
}

/** What came of a call: what went wrong, or below it, before what it answered. */
function Outcome({
  row: { status, failure, errorsBelow },
  output,
}: {
  readonly row: ListedCall;
  readonly output: string;
}) {
  if (status === 'error') return <span className={styles['failed']}>{failure || 'failed'}</span>;
  if (status !== 'descendant_error') return output;
  return (
    <>
      <span className={styles['failedBelow']}>{belowText(errorsBelow)}</span> {output}
    </>
  );
}

const THUMBS = { '👍': ThumbsUp, '👎': ThumbsDown };

/** Thumbs are drawn: not every machine has a font for them. */
function Judgements({ judgements }: { readonly judgements: CallJudgements }) {
  const others = new Map(judgements.reactions);
  const thumbs = Object.entries(THUMBS).flatMap(([emoji, Icon]) => {
    const count = others.get(emoji);
    others.delete(emoji);
    return count === undefined ? [] : [{ emoji, Icon, count }];
  });
  return (
    <>
      {thumbs.map(({ emoji, Icon, count }) => (
        <span key={emoji} className={styles['reaction']}>
          <Icon size={14} role="img" aria-label={emoji === '👍' ? 'good' : 'bad'} /> {count > 1 && formatCount(count)}
        </span>
      ))}
      {printJudgements({ ...judgements, reactions: others })}
    </>
  );
}

function Username({ id }: { readonly id: string }) {
  return useUsernames()(id);
}
