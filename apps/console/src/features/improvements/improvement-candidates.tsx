import type { ImprovementCandidateDto, ImprovementDto } from '@hone/client';
import { Link } from 'wouter';

import { useProject } from '../../shared/data/project.js';
import { parseRef } from '../../shared/data/refs.js';
import { formatCount } from '../../shared/format/format.js';
import { formatPercent } from '../../shared/gates/guards.js';
import page from '../../shared/page/page.module.css';
import { Table } from '../../shared/page/table.js';
import { Badge } from '../../shared/ui/badge.js';
import { isTried, METHODS, saidOfCandidate } from './improvement-words.js';
import styles from './improvements.module.css';
import { MethodsList } from './methods-list.js';
import { WinRateLine } from './win-rate-line.js';

const COLUMNS = [
  { name: 'Method', kind: 'wide' },
  { name: 'Verdict' },
  { name: 'Wins on held-out rows' },
  { name: 'Gain' },
  { name: 'Calls', kind: 'number' },
  { name: 'What it made' },
] as const;

/** What was tried, how good it is, and what could not be tried. */
export function ImprovementCandidates({ improvement }: { readonly improvement: ImprovementDto }) {
  const { candidates } = improvement;
  const tried = candidates.filter(isTried);
  const others = candidates.filter((one) => !isTried(one));
  return (
    <>
      {tried.length > 0 && (
        <section className={page['section']} aria-label="Candidates">
          <h2>Candidates</h2>
          <Table label="What each method made" columns={COLUMNS}>
            {tried.map((candidate) => (
              <Candidate key={candidate.method} {...{ improvement, candidate }} />
            ))}
          </Table>
        </section>
      )}
      {others.length > 0 && (
        <section className={page['section']} aria-label="Not tried">
          <h2>Not tried</h2>
          <MethodsList label="What the calls do not allow" candidates={others} />
        </section>
      )}
    </>
  );
}

interface Props {
  readonly improvement: ImprovementDto;
  readonly candidate: ImprovementCandidateDto;
}

function Candidate({ improvement, candidate }: Props) {
  const { method, reason, calls, gain, win_rate } = candidate;
  const [name, from] = METHODS[method];
  const { text, tone } = saidOfCandidate(candidate);
  return (
    <tr>
      <td>
        <div className={styles['words']}>
          <b>{name}</b> <span className={page['muted']}>by {from}</span>
          <p className={page['muted']} dir="auto">
            {reason}
          </p>
        </div>
      </td>
      <td>
        <Badge tone={tone}>{text}</Badge>
      </td>
      <td>{win_rate ? <WinRateLine rate={win_rate} /> : <span className={page['muted']}>–</span>}</td>
      <td className={page['unbroken']}>
        {gain ? (
          <>
            <b>{formatPercent(gain.estimate)}</b>{' '}
            <span className={page['muted']}>
              {formatPercent(gain.low)} to {formatPercent(gain.high)}
            </span>
          </>
        ) : (
          <span className={page['muted']}>–</span>
        )}
      </td>
      <td data-kind="number">{formatCount(calls)}</td>
      <td>
        <Made {...{ improvement, candidate }} />
      </td>
    </tr>
  );
}

/** Links to what the candidate is made of. */
function Made({ improvement, candidate }: Props) {
  const project = useProject();
  const { current_run_id, settings } = improvement;
  const { training_job_id, step, prompt, run_id, gate_id } = candidate;
  if (training_job_id === null && prompt === null) return <span className={page['muted']}>–</span>;
  const edited = parseRef(prompt)?.name;
  const runs = [current_run_id, run_id].filter((id) => id !== null);
  return (
    <span className={styles['made']}>
      {training_job_id !== null && <Link to={project.path(`training/jobs/${training_job_id}`)}>job</Link>}
      {edited !== undefined && <Link to={project.path(`prompts/${encodeURIComponent(edited)}`)}>prompt</Link>}
      {step !== null && <Link to={project.path(`training/models/${settings.model_id}#step-${step}`)}>step {step}</Link>}
      {run_id !== null && <Link to={project.path(`evaluations/compare?runs=${runs.join(',')}`)}>answers</Link>}
      {gate_id !== null && <Link to={project.path(`gates/${gate_id}`)}>gate</Link>}
    </span>
  );
}
