import { Link } from 'wouter';

import { useProject } from '../data/project.js';
import { parseRef, shortVersion } from '../data/refs.js';
import { useScorerVersions } from '../scorers/use-scorers.js';
import { VerdictView } from '../scorers/verdict-view.js';
import type { Feedback } from './feedback.js';
import styles from './feedback.module.css';
import { verdictOf } from './judge-verdict.js';
import { Said } from './said.js';

type Props = Pick<Feedback, 'feedback_type' | 'payload' | 'scorer_ratings' | 'scorer_tags' | 'runnable_ref'>;

/** What a scorer said: which version of it, its verdict, and why. */
export function JudgeSaid(said: Props) {
  const verdict = verdictOf(said);
  const scorer = parseRef(said.runnable_ref);
  if (verdict === null || scorer?.kind !== 'object') return <Said {...said} />;
  return (
    <span className={styles['verdict']}>
      <ScorerVersion id={scorer.name} digest={scorer.version} /> <VerdictView verdict={verdict} />
    </span>
  );
}

function ScorerVersion({ id, digest }: { readonly id: string; readonly digest: string }) {
  const project = useProject();
  const versions = useScorerVersions(id);
  const version = versions.data?.find((one) => one.digest === digest);
  return (
    <Link to={project.path(`scorers/${encodeURIComponent(id)}?version=${digest}`)}>
      {version ? `${version.name} v${version.version}` : `${id}:${shortVersion(digest)}`}
    </Link>
  );
}
