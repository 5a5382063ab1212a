import type { CallsPageQueryDto, CallStatsDto, ObjectVersionDto } from '@hone/client';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';

import { toFigures } from '../../../shared/calls/figures.js';
import { hone } from '../../../shared/data/hone.js';
import { useProject } from '../../../shared/data/project.js';
import { useSearchState } from '../../../shared/data/search-state.js';
import { formatCost, formatCount, formatDuration } from '../../../shared/format/format.js';
import page from '../../../shared/page/page.module.css';
import { Table } from '../../../shared/page/table.js';
import { Button } from '../../../shared/ui/button.js';
import { Select } from '../../../shared/ui/input.js';
import { ErrorNote } from '../../../shared/ui/notes.js';
import { expressionOf, listOf, listOfIds } from './calls-of-version.js';
import { judgementsOf } from './judgements.js';

/** Spans of time, in minutes, as the list of calls has them. */
const RANGES = { '1440': '24 hours', '10080': '7 days', '43200': '30 days' };
const DEFAULT_RANGE = '10080';
/** Versions that are asked for at a time: each takes two requests. */
const STEP = 10;
/** Newest calls of a version whose feedback is read. */
const MAX_JUDGED = 200;
const COLUMNS = [
  { name: 'Version' },
  { name: 'Calls', kind: 'number' },
  { name: 'Errors', kind: 'number' },
  { name: 'Tokens', kind: 'number' },
  { name: 'Cost', kind: 'number' },
  { name: 'Mean latency', kind: 'number' },
  { name: 'Liked', kind: 'number' },
  { name: 'Disliked', kind: 'number' },
  { name: 'Scores', kind: 'wide' },
] as const;

/** What the calls of each version did, and what was said of them. Each figure leads to its calls. */
export function UseByVersion({ versions }: { readonly versions: readonly ObjectVersionDto[] }) {
  const [range, setRange] = useSearchState('minutes');
  const [shown, setShown] = useState(STEP);
  const minutes = range in RANGES ? range : DEFAULT_RANGE;
  return (
    <section className={page['section']} aria-label="Use by version">
      <label className={page['row']}>
        Calls of the last
        <Select value={minutes} onChange={({ target }) => setRange(target.value)}>
          {Object.entries(RANGES).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </label>
      <Table label="Use" columns={COLUMNS}>
        {versions.slice(0, shown).map((version) => (
          <Row key={version.digest} {...{ version, minutes }} />
        ))}
      </Table>
      {versions.length > shown && (
        <p>
          <Button onClick={() => setShown(shown + STEP)}>Older versions</Button>
        </p>
      )}
      <p className={page['muted']}>
        This table counts calls of this project that name the prompt in their request. Thumbs and scores are of the
        newest {MAX_JUDGED} calls of a version.
      </p>
    </section>
  );
}

interface RowProps {
  readonly version: ObjectVersionDto;
  readonly minutes: string;
}

function Row({ version, minutes }: RowProps) {
  const project = useProject();
  const { figures, judgements } = useUse(version, minutes);
  const list = (more?: Readonly<Record<string, string>>) => project.path(`calls?${listOf(version, minutes, more)}`);
  const error = figures.error ?? judgements.error;
  if (error)
    return (
      <tr>
        <td>v{version.version_index}</td>
        <td colSpan={COLUMNS.length - 1}>
          <ErrorNote error={error} retry={() => void Promise.all([figures.refetch(), judgements.refetch()])} />
        </td>
      </tr>
    );
  const done = figures.data;
  const said = judgements.data;
  return (
    <tr aria-busy={!done || !said}>
      <td>v{version.version_index}</td>
      <Figure to={list()}>{done && formatCount(done.calls)}</Figure>
      <Figure to={list({ status: 'error' })}>{done && formatCount(done.failed)}</Figure>
      <Figure to={list()}>{done && formatCount(done.tokens)}</Figure>
      <Figure to={list()}>{done && formatCost(done.costUsd)}</Figure>
      <Figure to={list({ sort: '-latency_ms' })}>
        {done && (done.meanLatencyMs === null ? '–' : formatDuration(done.meanLatencyMs))}
      </Figure>
      <Figure to={said && project.path(`calls?${listOfIds(said.liked)}`)}>{said?.liked.length}</Figure>
      <Figure to={said && project.path(`calls?${listOfIds(said.disliked)}`)}>{said?.disliked.length}</Figure>
      <td>
        <span className={page['row']}>
          {said?.scores.map(({ name, mean, ids }) => (
            <Link key={name} to={project.path(`calls?${listOfIds(ids)}`)}>
              {name} {mean.toFixed(2)} ({formatCount(ids.length)})
            </Link>
          ))}
        </span>
      </td>
    </tr>
  );
}

interface FigureProps {
  readonly to: string | undefined;
  readonly children: ReactNode;
}

/** What is nothing leads nowhere. */
const Figure = ({ to, children }: FigureProps) => {
  const isEmpty = children === undefined || ['0', '$0', '–', 0].includes(children as string);
  return (
    <td data-kind="number">{isEmpty || to === undefined ? (children ?? '…') : <Link to={to}>{children}</Link>}</td>
  );
};

function useUse(version: ObjectVersionDto, minutes: string) {
  const { id: project_id } = useProject();
  const { object_id, digest } = version;
  const key = [project_id, object_id, digest, minutes];
  const sinceMs = () => Date.now() - Number(minutes) * 60_000;
  const figures = useQuery({
    queryKey: ['use of a prompt', ...key],
    queryFn: async ({ signal }) => {
      const body = { project_id, start: new Date(sinceMs()).toISOString(), query: { $expr: expressionOf(version) } };
      return toFigures((await hone.trace.readCallStats(body as CallStatsDto, { signal })).buckets);
    },
  });
  const judgements = useQuery({
    queryKey: ['judgements of a prompt', ...key],
    queryFn: async ({ signal }) => {
      const since = { $gte: [{ $getField: 'started_at' }, { $literal: new Date(sinceMs()).toISOString() }] };
      const body = {
        ...{ project_id, query: { $expr: { $and: [since, expressionOf(version)] } }, include_feedback: true },
        ...{ columns: ['id', 'summary'], sort_by: [{ field: 'started_at', direction: 'desc' }], limit: MAX_JUDGED },
      };
      return judgementsOf((await hone.trace.queryCallPages(body as unknown as CallsPageQueryDto, { signal })).calls);
    },
  });
  return { figures, judgements };
}
