import type { ScoringDto } from '@hone/client';

import { formatCount } from '../../shared/format/format.js';
import page from '../../shared/page/page.module.css';

/** How many of the calls of a scoring have a verdict. */
export function ScoringProgress({ counts, is_planned }: Pick<ScoringDto, 'counts' | 'is_planned'>) {
  const settled = counts.done + counts.skipped + counts.failed;
  const all = settled + counts.pending;
  if (!is_planned) return <span className={page['muted']}>The calls are being found …</span>;
  return (
    <>
      {formatCount(counts.done)} of {formatCount(all)}
      {counts.pending > 0 && (
        <>
          {' '}
          <progress value={settled} max={all} aria-label="Judged" />
        </>
      )}
    </>
  );
}
