import type { ThreadDto } from '@hone/client';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { formatAge, formatCost, formatCount, formatDuration } from '../../shared/format/format.js';
import { useNow } from '../../shared/format/use-now.js';
import page from '../../shared/page/page.module.css';
import { Badge } from '../../shared/ui/badge.js';
import { PreviewLines } from '../../shared/ui/preview-lines.js';
import styles from './threads.module.css';
import type { AboutThreads, ThreadFigures } from './use-about-threads.js';

interface Props {
  readonly thread: ThreadDto;
  /** undefined: not known yet. */
  readonly about: AboutThreads | undefined;
}

/** A conversation by how it began and how it ended, and what it took. */
export function ThreadRow({ thread, about }: Props) {
  const project = useProject();
  const now = useNow();
  const { thread_id: id, turn_count, p50_turn_duration_ms, last_updated, first_call_id, last_call_id } = thread;
  const first = about?.previews.get(first_call_id ?? '')?.input ?? '';
  const last = about?.previews.get(last_call_id ?? '')?.output ?? '';
  const figures = about?.figures.get(id);
  return (
    <tr>
      <td>
        <Link to={project.path(`threads/${encodeURIComponent(id)}`)}>{id}</Link>
        <PreviewLines input={first} output={last} />
      </td>
      <td data-kind="number">
        {formatCount(turn_count)}
        {figures && figures.errors > 0 && (
          <>
            {' '}
            <Badge tone="bad">{formatCount(figures.errors)} failed</Badge>
          </>
        )}
      </td>
      <td data-kind="optional number">{formatDuration(p50_turn_duration_ms)}</td>
      <td data-kind="optional number">{figures && figures.tokens > 0 ? formatCount(figures.tokens) : ''}</td>
      <td data-kind="optional number">{figures && figures.costUsd > 0 ? formatCost(figures.costUsd) : ''}</td>
      <td data-kind="optional">{figures && <Thumbs figures={figures} />}</td>
      <td data-kind="number" className={page['muted']}>
        {formatAge(last_updated, now)}
      </td>
    </tr>
  );
}

const Thumbs = ({ figures: { thumbsUp, thumbsDown } }: { readonly figures: ThreadFigures }) => (
  <span className={styles['thumbs']}>
    {thumbsUp > 0 && (
      <span>
        <ThumbsUp size={14} role="img" aria-label="Good answers" /> {formatCount(thumbsUp)}
      </span>
    )}
    {thumbsDown > 0 && (
      <span>
        <ThumbsDown size={14} role="img" aria-label="Bad answers" /> {formatCount(thumbsDown)}
      </span>
    )}
  </span>
);
