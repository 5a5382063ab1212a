import type { CallDto, EvaluationVersionDto } from '@hone/client';

import { mergeRuns, newestOfModels, rivalsOf, type Run, toSdkRun } from './runs.js';

const run = (id: string, startedAt: string, more: Partial<Run> = {}): Run => ({
  ...{ id, startedAt, evaluation: 'e', model: 'm', status: 'success', summary: new Map<string, number>() },
  ...more,
});

it('runs of both kinds are one list, newest first, each once', () => {
  expect(mergeRuns([run('a', '1'), run('b', '3')], [run('c', '2'), run('a', '1')]).map(({ id }) => id)).toEqual([
    ...['b', 'c', 'a'],
  ]);
});

it('a model stands on the leaderboard with its newest run that succeeded', () => {
  const runs = [run('d', '4', { status: 'running' }), run('c', '3'), run('b', '2'), run('a', '1', { model: 'other' })];
  expect(newestOfModels(runs).map(({ id }) => id)).toEqual(['c', 'a']);
});

it.each([
  [{ ended_at: null }, 'running'],
  [{ ended_at: '2026-01-15T10:00:00Z' }, 'success'],
  [{ ended_at: '2026-01-15T10:00:00Z', exception: 'no' }, 'error'],
])('a call of an SDK with %j is %s', (fields, status) => {
  const call = { id: 'c', inputs: { self: 'ref:e', model: { a: 1 } }, output: { exact: { mean: 0.5 } }, ...fields };
  expect(toSdkRun(call as unknown as CallDto)).toMatchObject({ status, evaluation: 'ref:e', model: null });
});

it('a run compares with those of its dataset that succeeded, also of another evaluation', () => {
  const evaluation = (object_id: string, dataset: string) =>
    ({ object_id, dataset: `hone:///e/p/object/${dataset}:v0` }) as EvaluationVersionDto;
  const evaluations = [evaluation('one', 'sums'), evaluation('two', 'sums'), evaluation('three', 'words')];
  const of = (name: string) => ({ evaluation: `hone:///e/p/object/${name}:v1` });
  const runs = [
    ...[run('a', '5', of('one')), run('b', '4', of('two')), run('c', '3', of('three'))],
    ...[run('d', '2', { ...of('one'), status: 'error' }), run('e', '1')],
  ];
  expect(rivalsOf('a', runs, evaluations).map(({ id }) => id)).toEqual(['b']);
  expect(['c', 'e', 'gone'].map((id) => rivalsOf(id, runs, evaluations))).toEqual([[], [], []]);
});
