import type { RolloutDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';

import { ChatView } from '../../../shared/chat/chat-view.js';
import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { Button } from '../../../shared/ui/button.js';
import { ErrorNote, Loading } from '../../../shared/ui/notes.js';
import { callOf, toTurns } from './rollout.js';
import styles from './rollouts.module.css';

/** Most of a group that are read at once; the chosen one is always among them. */
const SIDE_BY_SIDE = 6;

interface Props {
  readonly jobId: string;
  readonly rollouts: readonly RolloutDto[];
  /** `<group>.<index>` */
  readonly chosen: string;
  readonly onClose: () => void;
}

/** The rollouts of one group side by side, the best first: what they were compared on. */
export function RolloutGroup({ jobId, rollouts, chosen, onClose }: Props) {
  const best = [...rollouts].sort((a, b) => b.reward - a.reward);
  const isChosen = ({ group, index }: RolloutDto) => chosen === `${group}.${index}`;
  const shown = [...best.filter(isChosen), ...best.filter((one) => !isChosen(one))].slice(0, SIDE_BY_SIDE);
  return (
    <section className={styles['group']} aria-label={`Group ${rollouts[0]?.group ?? ''}`}>
      <div className={styles['head']}>
        <h3>
          Group {rollouts[0]?.group}: {shown.length} of {rollouts.length} rollouts
        </h3>
        <Button onClick={onClose}>Close</Button>
      </div>
      <p className={styles['muted']}>
        The stronger a token’s colour, the less likely the model found it. Tokens have colours where the job was sent
        their texts.
      </p>
      <div className={styles['columns']}>
        {best
          .filter((one) => shown.includes(one))
          .map((rollout) => (
            <Rollout key={rollout.index} jobId={jobId} rollout={rollout} isChosen={isChosen(rollout)} />
          ))}
      </div>
    </section>
  );
}

interface RolloutProps {
  readonly jobId: string;
  readonly rollout: RolloutDto;
  readonly isChosen: boolean;
}

function Rollout({
  jobId,
  rollout: { group, index, reward, advantage, initial_policy_version: step },
  isChosen,
}: RolloutProps) {
  const project = useProject();
  const query = useQuery({
    queryKey: ['rollout', jobId, group, index],
    queryFn: ({ signal }) =>
      hone.training.getRollout({ training_job_id: jobId, group: String(group), index: String(index) }, { signal }),
    staleTime: Infinity,
  });
  const call = callOf(query.data?.trajectory);
  return (
    <article className={styles['column-of-group']} data-chosen={isChosen} aria-label={`Rollout ${index}`}>
      <p>
        <b>reward {reward}</b>
        {advantage !== null && (
          <span className={advantage < 0 ? styles['bad'] : styles['good']}> advantage {advantage.toFixed(2)}</span>
        )}
        {step !== null && <span className={styles['muted']}> step {step}</span>}
      </p>
      {query.error && <ErrorNote error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Loading what="the rollout" />}
      {query.data && <ChatView turns={toTurns(query.data.trajectory)} />}
      {call !== null && <Link to={project.path(`calls/${encodeURIComponent(call)}`)}>Its call</Link>}
    </article>
  );
}
