import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { IS_LONG, until } from '@hone/testing';

import { freePorts } from './config/free-ports.js';
import {
  readRecorded,
  type RecordedAnswer,
  restoreDataFolder,
  upgradeFixtures,
} from './testing/data-folder.fixture.js';
import { RunningLauncher } from './testing/running-launcher.js';

const STARTS_MS = 900_000;
/** Differ from answer to answer. */
const ALWAYS_NEW: Readonly<Record<string, readonly string[]>> = {
  '/v1/chat/completions': ['id', 'created'],
  '/account/me': ['last_used_at'],
  // Monitors count by the day.
  '/evaluation/monitors?project_id=local/judged': ['today'],
};

/** The oldest release goes through every migration. */
const FOLDERS = IS_LONG ? upgradeFixtures() : upgradeFixtures().slice(0, 1);

describe.each(FOLDERS)('a data folder of %s', (fixture) => {
  const { answers, openJobs, openScoring, journalledProject, journalledCalls = 0, session } = readRecorded(fixture);
  let dataDir: string;
  let launcher: RunningLauncher;
  let url: string;
  let key: string;

  beforeAll(async () => {
    dataDir = await restoreDataFolder(fixture);
    key = (await readFile(join(dataDir, 'api-key'), 'utf8')).trim();
    const [port] = await freePorts(1);
    url = `http://127.0.0.1:${port}`;
    const variables = { HONE_DATA_DIR: dataDir, HONE_PORT: String(port), HONE_USAGE_RETENTION_DAYS: '36500' };
    launcher = new RunningLauncher(variables);
    await launcher.says('Hone is ready on');
  }, STARTS_MS);
  afterAll(async () => {
    launcher.kill('SIGTERM');
    await launcher.exited;
    await rm(dataDir, { recursive: true, force: true });
  });

  async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
    const isTrained = path.startsWith('/v1/') || path.startsWith('/account/');
    const authorization = isTrained ? `Bearer ${key}` : `Basic ${Buffer.from(`api:${key}`).toString('base64')}`;
    const response = await fetch(url + path, {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  const get = async (path: string) => JSON.parse((await ask('GET', path)).text) as Record<string, unknown>;

  const title = ({ method, path }: RecordedAnswer, at: number) => `${at + 1}: ${method} ${path}`;
  it.each(answers.map((answer, at) => [title(answer, at), answer] as const))(
    'answers as before, %s',
    async (_title, { method, path, body, status, text }) => {
      const now = await ask(method, path, body);
      // Answers may have more fields than they had.
      expect({ status: now.status, body: comparable(path, now.text) }).toMatchObject({
        status,
        body: comparable(path, text),
      });
    },
  );

  it('shows the calls that the release stored, with the text of their numbers', async () => {
    const body = { project_id: 'local/old', filter: { call_ids: ['c1', 'c2', 'c3'] }, include_storage_size: true };
    const { status, text } = await ask('POST', '/calls/stream_query', body);
    expect(status).toBe(200);
    const lines = text.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject(
      ['c1', 'c2', 'c3'].map((id) => ({
        ...{ id, op_name: 'answer', started_at: '2026-01-15T09:59:00.123Z', ended_at: '2026-01-15T09:59:01.000Z' },
        ...{ attributes: { env: 'test' }, inputs: { q: `What is ${id}?` }, output: '5 ✓' },
        summary: { hone: { status: 'success', latency_ms: 877 } },
      })),
    );
    for (const line of lines) expect(line).toContain('"big":1e+21}');
    const query = { $expr: { $gt: [{ $getField: 'inputs.big' }, { $literal: 1 }] } };
    const counted = await ask('POST', '/calls/query_stats', { project_id: 'local/old', query });
    expect(JSON.parse(counted.text)).toEqual({ count: 3, has_more: false });
  });

  it('lets annotators claim what they had begun, and passes by what they had completed', async () => {
    const project_id = 'local/old';
    const { path } = answers.find((one) => one.path.endsWith('/items/query')) as RecordedAnswer;
    const { items } = JSON.parse((await ask('POST', path, { project_id })).text) as { items: { id: string }[] };
    const claimPath = path.replace(/query$/, 'claim');
    const claimed = JSON.parse((await ask('POST', claimPath, { project_id })).text) as Record<string, unknown>;
    expect(claimed).toMatchObject({
      item: { id: items[0]?.id, annotation_state: 'in_progress' },
      lease: { id: expect.any(String) },
    });
    const done = { project_id, annotation_state: 'completed' };
    expect((await ask('POST', path.replace(/query$/, `${items[0]?.id}/progress`), done)).status).toBe(200);
    const next = JSON.parse((await ask('POST', claimPath, { project_id })).text) as Record<string, unknown>;
    expect(next).toMatchObject({ item: { id: items[2]?.id, annotation_state: 'unstarted' } });
  });

  it('knows which version was the latest, of versions that are older than its notes', async () => {
    const read = async (as_of?: string) => {
      const body = { project_id: 'local/old', object_id: 'prompt', digest: 'latest', as_of };
      return (JSON.parse((await ask('POST', '/obj/read', body)).text) as { obj: Record<string, string> }).obj;
    };
    const now = await read();
    expect(await read(new Date().toISOString())).toEqual(now);
    expect(await read(now['created_at'])).toEqual(now);
  });

  it('books the usage that only a journal had', async () => {
    const path = `/v1/usage?project=${journalledProject}&from=2026-01-01T00:00:00Z&to=2035-12-31T00:00:00Z`;
    const report = await until(async () => {
      const { data } = (await get(path)) as { data: { requests: number }[] };
      return data.length > 0 && data;
    }, 'usage');
    expect(report.map(({ requests }) => requests)).toEqual([1]);
    const stored = await ask('POST', '/calls/query_stats', { project_id: journalledProject });
    expect(JSON.parse(stored.text)).toMatchObject({ count: journalledCalls });
  });

  if (openScoring !== undefined) {
    it(
      'judges what was left of a scoring, each call once',
      async () => {
        const path = `/evaluation/scorings/${openScoring}`;
        const found = await until(
          async () => {
            const now = await get(path);
            return now['finished_at'] !== null && now;
          },
          'the end of a scoring',
          STARTS_MS,
        );
        expect(found).toMatchObject({ status: 'done', counts: { done: 24, failed: 0 } });
        const body = { project_id: 'local/half', fields: ['trace_ref'] };
        const { result } = JSON.parse((await ask('POST', '/feedback/query', body)).text) as { result: object[] };
        expect(new Set(result.map((one) => JSON.stringify(one))).size).toBe(result.length);
        expect(result).toHaveLength(24);
      },
      STARTS_MS,
    );
  }

  if (session !== undefined) {
    it('knows the browsers that were signed in', async () => {
      const response = await fetch(`${url}/account/sessions/current`, { headers: { cookie: session } });
      expect(await response.json()).toMatchObject({ username: 'admin' });
      expect(response.status).toBe(200);
    });
  }

  it(
    'ends the jobs that were open, from where they were',
    async () => {
      for (const id of openJobs) {
        const job = await until(
          async () => {
            const now = await get(`/v1/preview/training-jobs/${id}`);
            return now['finished_at'] !== null && now;
          },
          'the end of a job',
          STARTS_MS,
        );
        expect(job).toMatchObject({ status: 'succeeded', error: null });
        const { data } = (await get(`/v1/preview/training-jobs/${id}/events?limit=100`)) as {
          data: { type: string }[];
        };
        expect(data.filter(({ type }) => type === 'training_started')).toHaveLength(1);
      }
    },
    STARTS_MS,
  );
});

/** Lists of typed objects and of what belongs to evaluations. */
const LINES = /^\/v2\/[^/]+\/[^/]+\/(scorers|datasets|evaluation_runs|predictions|scores)(\?|$)/;

/** The values of an answer: one, or one per line. */
function comparable(path: string, text: string): unknown[] {
  const isLines = path.endsWith('/stream_query') || path === '/annotation_queues/query' || LINES.test(path);
  const texts = isLines ? text.split('\n').filter((line) => line !== '') : [text];
  const isNew = (name: string) => ALWAYS_NEW[path]?.includes(name);
  return texts.map((one) => JSON.parse(one, (name, value: unknown) => (isNew(name) ? undefined : value)));
}
