import type { ImprovementCandidateDto } from '@hone/client';

import page from '../../shared/page/page.module.css';
import { Badge } from '../../shared/ui/badge.js';
import { METHODS, saidOfCandidate } from './improvement-words.js';
import styles from './improvements.module.css';

interface Props {
  readonly label: string;
  readonly candidates: readonly ImprovementCandidateDto[];
}

/** Ways to learn: whether the calls allow each, and why. */
export const MethodsList = ({ label, candidates }: Props) => (
  <ul className={styles['methods']} aria-label={label}>
    {candidates.map((candidate) => {
      const [name, from] = METHODS[candidate.method];
      const { text, tone } = saidOfCandidate(candidate);
      return (
        <li key={candidate.method}>
          <span>
            <b>{name}</b> <Badge tone={tone}>{text}</Badge> <span className={page['muted']}>by {from}</span>
          </span>
          <p className={styles['reason']} dir="auto">
            {candidate.reason}
          </p>
        </li>
      );
    })}
  </ul>
);
