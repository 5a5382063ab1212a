import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { startTestApp, type TestApp, type TestClient } from '@hone/testing';

import type { EvaluationConfig } from '../../config/evaluation.config.js';
import { EvaluationModule } from '../../evaluation.module.js';
import { JudgedProject, PROJECT } from '../../testing/judged-project.fixture.js';
import { VerdictWorker } from '../../verdicts/verdict-worker.js';

interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}
type Reply = (response: ServerResponse, asked: Asked) => void;

const SECRET = 'a secret of the operator';
const json =
  (value: unknown): Reply =>
  (response) =>
    void response.end(JSON.stringify(value));

describe('scorers that ask a server', () => {
  let server: Server;
  let port: number;
  let asked: Asked[];
  let reply: Reply;
  let app: TestApp;
  let client: TestClient;
  let project: JudgedProject;
  const config: EvaluationConfig = { gatewayUrl: undefined, scorerSecret: SECRET };
  beforeAll(async () => {
    server = createServer((request, response) => {
      void text(request).then((body) => {
        const one = { headers: request.headers, body };
        asked.push(one);
        reply(response, one);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
    config.scorerHosts = { hosts: ['127.0.0.1', 'localhost', 'judge.invalid'], privateHosts: [`127.0.0.1:${port}`] };
    app = await startTestApp(
      EvaluationModule.forRoot(() => config),
      {},
      { isOwn: true },
    );
    client = app.as(app.writer);
  });
  afterAll(async () => {
    await app.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  beforeEach(async () => {
    asked = [];
    reply = json({ ratings: { close: 0.5 }, tags: ['ok'], reason: 'so' });
    await app.sql('TRUNCATE verdicts, scorings, feedback, calls, call_values, object_heads, object_versions');
    project = await JudgedProject.of(app);
  });

  const definition = (more: object = {}) => ({
    kind: 'http',
    http: {
      url: `http://127.0.0.1:${port}/judge`,
      ratings: [{ name: 'close', min: 0, max: 1 }],
      tags: ['ok'],
      ...more,
    },
  });
  const attempt = async (more: object = {}) => {
    const [id] = await project.addCalls({});
    const body = { project_id: PROJECT, call_ids: [id], definition: definition(more) };
    const answer = await client.post('/evaluation/scorers/try', body);
    return answer.status === 200 ? answer.json().verdicts[0] : answer;
  };

  it('post each call, signed, and store what it found', async () => {
    const exact = '12345678901234567890.5';
    const ids = await project.addCalls({ inputs: { n: 7 } }, {});
    await app.sql(`UPDATE call_values SET inputs_text = $1 WHERE id = $2`, [`{"n": ${exact}}`, ids[0]]);
    await project.addScorer('close', definition());
    await client.post('/evaluation/scorings', { project_id: PROJECT, scorer: 'close' });
    await app.app.get(VerdictWorker).run();
    expect(await project.feedback()).toMatchObject(
      ids.map((call) => ({ call, type: 'hone.runnable.close', ratings: { close: 0.5 }, tags: ['ok'] })),
    );
    expect(asked).toHaveLength(2);
    for (const { headers, body } of asked) {
      const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', SECRET).update(signed).digest('base64')}`);
    }
    const first = asked.find(({ body }) => body.includes(`"id":"${ids[0]}"`));
    expect(first?.body).toContain(`"n":${exact}`);
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({
      project_id: PROJECT,
      scorer: 'close',
      call: { latency_ms: 500, output: { choices: [{ message: { content: 'cold' } }] } },
    });
  });

  it.each<[string, Reply, object]>([
    [
      'a rating beyond its scale',
      json({ ratings: { close: 2 } }),
      { state: 'failed', code: 'server_answered_nonsense' },
    ],
    ['half an answer', (response) => response.end('{"rat'), { state: 'failed', code: 'server_answered_nonsense' }],
    ['a code', json({ skipped: 'no_context' }), { state: 'skipped', code: 'no_context' }],
    ['400', (response) => response.writeHead(400).end('{}'), { state: 'failed', code: 'server_refused' }],
    [
      'a redirect',
      (response) => response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
      { state: 'failed', code: 'server_refused' },
    ],
    ['503', (response) => response.writeHead(503).end(), { state: 'failed', code: 'server_unavailable' }],
    ['nothing', (response) => response.destroy(), { state: 'failed', code: 'server_unavailable' }],
    [
      'more than it may',
      (response) => response.end(JSON.stringify({ reason: 'x'.repeat(70_000) })),
      { state: 'failed', code: 'server_answered_too_much' },
    ],
  ])('take %s for what it is', async (_what, answer, expected) => {
    reply = answer;
    expect(await attempt()).toMatchObject({ ...expected, ratings: {}, tags: [] });
    expect(asked).toHaveLength(1);
  });

  it('wait no longer than they are told', async () => {
    reply = () => undefined;
    expect(await attempt({ timeout_ms: 50 })).toMatchObject({ state: 'failed', code: 'server_unavailable' });
  });

  it('try again what may pass', async () => {
    const [id] = await project.addCalls({});
    await project.addScorer('close', definition());
    reply = (response) => void response.writeHead(429).end();
    await client.post('/evaluation/scorings', { project_id: PROJECT, scorer: 'close' });
    await app.app.get(VerdictWorker).run();
    expect(await project.verdicts()).toMatchObject([{ call_id: id, state: 'pending' }]);
    reply = json({ ratings: { close: 1 }, tags: [] });
    await app.sql(`UPDATE verdicts SET available_at = now() - interval '1 second'`);
    await app.app.get(VerdictWorker).run();
    expect(await project.verdicts()).toMatchObject([{ state: 'done', attempt: 2 }]);
    const ids = asked.map(({ headers }) => String(headers['webhook-id']));
    // The server tells a repeated request from another call by what comes first.
    expect(new Set(ids.map((one) => one.split('.')[0])).size).toBe(1);
  });

  it.each([
    ['http://elsewhere.example/x', 'elsewhere.example is not in HONE_SCORER_HOSTS'],
    ['http://localhost/x', null],
    ['http://127.0.0.1:1/x', 'port 1'],
    ['http://user:word@judge.invalid/x', 'the address holds credentials'],
  ])('do not ask %s', async (url, fault) => {
    const answer = await attempt({ url });
    if (fault === null) expect(answer).toMatchObject({ state: 'failed', code: 'server_not_allowed' });
    else expect(answer.json().detail[0].msg).toContain(`It cannot be used: ${fault}`);
    expect(asked).toEqual([]);
  });

  it.each([
    [{ url: 'ftp://judge.invalid' }, ['url']],
    [{ url: 'https://' }, ['url']],
    [{ ratings: [], tags: [] }, ['ratings']],
    [{ ratings: [{ name: 'ok' }] }, ['ratings']],
    [{ ratings: [{ name: 'close', min: 0 }] }, ['ratings', 0, 'max']],
    [{ ratings: [{ name: 'close', min: 1, max: 1 }] }, ['ratings', 0, 'max']],
    [{ timeout_ms: 0 }, ['timeout_ms']],
  ])('refuse the definition %j', async (more, loc) => {
    const { status, json: body } = await attempt(more);
    expect([status, body().detail[0].loc]).toEqual([422, ['body', 'definition', 'http', ...loc]]);
  });
});
