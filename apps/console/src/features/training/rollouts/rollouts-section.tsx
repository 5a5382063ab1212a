import type { RolloutDto } from '@hone/client';
import { NotFoundError } from '@hone/client';
import { useQuery } from '@tanstack/react-query';

import { hone } from '../../../shared/data/hone.js';
import { useSearchState } from '../../../shared/data/search-state.js';
import { ErrorNote, Loading } from '../../../shared/ui/notes.js';
import { type Bar, groupsWithoutSpread, toBars } from './histogram.js';
import { RolloutGroup } from './rollout-group.js';
import styles from './rollouts.module.css';

const SHOWN = 60;

/** What a job learned from: its rewards as bars, which open into the rollouts, each beside the others of its group. */
export function RolloutsSection({ jobId }: { readonly jobId: string }) {
  const [chosenBar, chooseBar] = useSearchState('bar');
  const [chosen, choose] = useSearchState('rollout');
  const query = useQuery({
    queryKey: ['rollouts', jobId],
    queryFn: ({ signal }) => hone.training.listRollouts({ training_job_id: jobId }, { signal }),
    // They are what they were when the job was made.
    staleTime: Infinity,
  });
  if (query.error instanceof NotFoundError) return <p className={styles['muted']}>{query.error.message}</p>;
  if (query.error) return <ErrorNote error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <Loading what="the rollouts" />;
  const rollouts = query.data.data;
  const bars = toBars(rollouts);
  const bar = chosenBar === '' ? undefined : bars[Number(chosenBar)];
  const flat = groupsWithoutSpread(rollouts);
  const [group] = chosen.split('.', 1).filter(Boolean).map(Number);
  return (
    <>
      <Histogram bars={bars} chosen={bar} onChoose={(at) => chooseBar(chosenBar === String(at) ? '' : String(at))} />
      {flat.length > 0 && (
        <p className={styles['muted']}>
          {flat.length === 1 ? '1 group has' : `${flat.length} groups have`} equal rewards and taught nothing:{' '}
          {flat.slice(0, 20).join(', ')}
          {flat.length > 20 && ' …'}
        </p>
      )}
      {bar && <RolloutList rollouts={bar.rollouts} chosen={chosen} onChoose={choose} />}
      {group !== undefined && (
        <RolloutGroup
          jobId={jobId}
          rollouts={rollouts.filter((one) => one.group === group)}
          chosen={chosen}
          onClose={() => choose('')}
        />
      )}
    </>
  );
}

interface HistogramProps {
  readonly bars: readonly Bar[];
  readonly chosen: Bar | undefined;
  readonly onChoose: (at: number) => void;
}

function Histogram({ bars, chosen, onChoose }: HistogramProps) {
  const most = Math.max(1, ...bars.map(({ rollouts }) => rollouts.length));
  return (
    <div className={styles['histogram']} role="group" aria-label="Rewards">
      {bars.map((bar, at) => (
        <button
          key={bar.from}
          type="button"
          className={styles['bar']}
          aria-pressed={bar === chosen}
          aria-label={`${bar.rollouts.length} rollouts with reward ${rangeOf(bar)}`}
          onClick={() => onChoose(at)}
        >
          <span>{bar.rollouts.length}</span>
          <span className={styles['column']} style={{ height: `${(100 * bar.rollouts.length) / most}px` }} />
          <span className={styles['range']}>{rangeOf(bar)}</span>
        </button>
      ))}
    </div>
  );
}

const short = (value: number): string => String(Number(value.toPrecision(3)));

const rangeOf = ({ from, to }: Bar): string => (from === to ? short(from) : `${short(from)} to ${short(to)}`);

interface ListProps {
  readonly rollouts: readonly RolloutDto[];
  readonly chosen: string;
  readonly onChoose: (position: string) => void;
}

const RolloutList = ({ rollouts, chosen, onChoose }: ListProps) => (
  <ul className={styles['list']} aria-label="Rollouts">
    {rollouts.slice(0, SHOWN).map(({ group, index, reward, advantage }) => (
      <li key={`${group}.${index}`}>
        <button
          type="button"
          className={styles['rollout']}
          aria-pressed={chosen === `${group}.${index}`}
          onClick={() => onChoose(`${group}.${index}`)}
        >
          group {group}, rollout {index}
          <span className={styles['muted']}>
            reward {short(reward)}
            {advantage !== null && `, advantage ${short(advantage)}`}
          </span>
        </button>
      </li>
    ))}
    {rollouts.length > SHOWN && <li className={styles['muted']}>and {rollouts.length - SHOWN} more</li>}
  </ul>
);
