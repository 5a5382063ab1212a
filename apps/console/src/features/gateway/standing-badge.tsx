import type { GatewayTargetDto } from '@hone/client';

import { formatDuration } from '../../shared/format/format.js';
import page from '../../shared/page/page.module.css';
import { Badge } from '../../shared/ui/badge.js';
import { standingOf } from './standing.js';

interface Props {
  readonly target: GatewayTargetDto;
  /** The trained model or its checkpoint. */
  readonly isDeleted: boolean;
  /** The gateway's time of day, which may differ from that of the browser. */
  readonly readAt: string;
}

/** How a target is, and for how long still. */
export function StandingBadge({ target, isDeleted, readAt }: Props) {
  const { tone, word, until, meaning } = standingOf(target, isDeleted);
  const leftMs = until === null ? 0 : Date.parse(until) - Date.parse(readAt);
  return (
    <span title={meaning}>
      <Badge tone={tone}>{word}</Badge>
      {leftMs > 0 && (
        <>
          {' '}
          <span className={page['unbroken']}>{formatDuration(Math.ceil(leftMs / 1_000) * 1_000)}</span>
        </>
      )}
    </span>
  );
}
