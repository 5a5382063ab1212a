import type { TrainingJobDto } from '@hone/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { LineKey } from '../../../shared/charts/line-key.js';
import { useProject } from '../../../shared/data/project.js';
import { formatCount, formatDuration, formatTime } from '../../../shared/format/format.js';
import { JOB_KINDS } from '../../../shared/format/job-kind.js';
import page from '../../../shared/page/page.module.css';
import { Table } from '../../../shared/page/table.js';
import { JobStatus } from '../../../shared/ui/job-status.js';
import { byInterest, type Curve } from '../curves.js';
import { lastOf } from './compared-curves.js';
import { differingSettings } from './settings.js';

/** A job among those that are compared. */
export interface ComparedJob {
  /** In legends and heads of tables. */
  readonly letter: string;
  readonly job: TrainingJobDto;
  /** Name of its model; its id where the model is gone. */
  readonly model: string;
  readonly curves: readonly Curve[];
}

interface Props {
  readonly jobs: readonly ComparedJob[];
}

/** What each job is, and how far it is. */
export function JobTable({ jobs }: Props) {
  const project = useProject();
  return (
    <Table label="Compared jobs" columns={columnsOf(jobs, 'Job')}>
      <Row name="Job" jobs={jobs}>
        {({ job, letter }, index) => (
          <>
            <LineKey index={index} /> <Link to={project.path(`training/jobs/${job.id}`)}>Job {letter}</Link>
            <div className={page['muted']}>{JOB_KINDS[job.kind]}</div>
          </>
        )}
      </Row>
      <Row name="State" jobs={jobs}>
        {({ job: { status, error } }) => (
          <>
            <JobStatus status={status} />
            {error && <div className={page['problem']}>{error.message}</div>}
          </>
        )}
      </Row>
      <Row name="Model" jobs={jobs}>
        {({ job, model }) => <Link to={project.path(`training/models/${job.model_id}`)}>{model}</Link>}
      </Row>
      <Row name="Gradient steps" jobs={jobs}>
        {({ job: { progress } }) => `${progress.gradient_steps_done} of ${progress.gradient_steps_total ?? '?'}`}
      </Row>
    </Table>
  );
}

/** What came of each job: what it made, and where its curves ended. */
export function OutcomeTable({ jobs }: Props) {
  const figures = [...new Set(jobs.flatMap(({ curves }) => curves.map(({ name }) => name)))].sort(byInterest);
  return (
    <section className={page['section']} aria-label="Outcomes">
      <h2>Outcomes</h2>
      <Table label="Table of outcomes" columns={columnsOf(jobs, 'Outcome')}>
        <Row name="Trained from" jobs={jobs}>
          {({ job: { parent_checkpoint: parent } }) => (parent ? `step ${parent.step}` : 'its base model')}
        </Row>
        <Row name="Made" jobs={jobs}>
          {({ job: { produced_checkpoint: made } }) => (made ? `step ${made.step}` : '–')}
        </Row>
        <Row name="Tokens trained" jobs={jobs}>
          {({ job: { tokens } }) => formatCount(tokens.trainable)}
        </Row>
        <Row name="Time of training" jobs={jobs}>
          {({ job: { timings_ms } }) => formatDuration(timings_ms.running)}
        </Row>
        <Row name="Begun" jobs={jobs}>
          {({ job: { created_at } }) => formatTime(created_at).slice(0, -4)}
        </Row>
        {figures.map((name) => (
          <Row key={name} name={`last ${name}`} jobs={jobs}>
            {({ curves }) => lastText(curves.find((curve) => curve.name === name))}
          </Row>
        ))}
      </Table>
    </section>
  );
}

/** The settings that are not the same. */
export function SettingsTable({ jobs }: Props) {
  const settings = differingSettings(jobs.map(({ job }) => job.config));
  return (
    <section className={page['section']} aria-label="Settings that differ">
      <h2>Settings that differ</h2>
      {settings.length === 0 ? (
        <p className={page['muted']}>All settings are the same.</p>
      ) : (
        <Table label="Table of settings" columns={columnsOf(jobs, 'Setting')}>
          {settings.map(({ name, values }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, index) => (
                <td key={jobs[index]?.letter}>
                  {value === null ? <span className={page['muted']}>–</span> : <code>{value}</code>}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

const columnsOf = (jobs: readonly ComparedJob[], first: string) => [
  { name: first, isHidden: true },
  ...jobs.map(({ letter }) => ({ name: letter })),
];

interface RowProps extends Props {
  readonly name: string;
  readonly children: (job: ComparedJob, index: number) => ReactNode;
}

const Row = ({ name, jobs, children }: RowProps) => (
  <tr>
    <th scope="row">{name}</th>
    {jobs.map((job, index) => (
      <td key={job.letter}>{children(job, index)}</td>
    ))}
  </tr>
);

function lastText(curve: Curve | undefined): string {
  const last = curve === undefined ? null : lastOf(curve);
  return last === null ? '–' : String(Number(last.toPrecision(4)));
}
