import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { FileRepository, ValueRepository } from '@hone/calls';
import { bytesDigest } from '@hone/contracts';
import { PROJECT_SETTINGS_CHANNEL } from '@hone/database';
import { until } from '@hone/testing';
import { FakeUpstream } from '@hone/testing/fakes';

import { MeteringService } from '../../metering/recording/metering.service.js';
import { CAT, CHAT } from '../contract/contract.fixture.js';
import { fakeUpstream } from '../faults/fake-upstreams.fixture.js';
import { type GatewayApp, startGatewayApp } from '../gateway-app.fixture.js';

interface StoredCall {
  id: string;
  op: string;
  trace: string;
  parent: string | null;
  thread: string | null;
  exception: string | null;
  attributes: Record<string, unknown>;
  inputs: unknown;
  output: unknown;
  summary: { usage?: Record<string, unknown> };
}

const SELECT = `
  SELECT c.id, c.op_name op, c.trace_id trace, c.parent_id parent, c.thread_id thread, c.exception, v.attributes_text::json attributes,
    v.inputs_text::json inputs, v.output_text::json output, v.summary_text::json summary
  FROM calls c JOIN call_values v USING (project_id, id)`;

describe('calls of the gateway', () => {
  let fake: FakeUpstream;
  let gateway: GatewayApp;
  beforeAll(async () => {
    fake = await FakeUpstream.start({ name: 'f' });
    const models = ['ok', 'ok+tool-call', 'context-length', 'cut@9+tokens@20+pace@5'];
    gateway = await startGatewayApp({ upstreams: [fakeUpstream(fake, 'fake', models)] });
  });
  afterAll(async () => {
    await gateway.close();
    await fake.stop();
  });

  // As bytes, because Node would write headers beside a text as UTF-8.
  const ask = (fields: object = {}, headers: Record<string, string> = {}) =>
    gateway.caller.post(CHAT, Buffer.from(JSON.stringify({ ...CAT, ...fields })), { headers });
  const flush = () => gateway.app.get(MeteringService).flush();
  /** A failure is recorded after its answer. */
  const stored = (id: string): Promise<StoredCall> =>
    until(async () => {
      await flush();
      return (await gateway.sql<StoredCall>(`${SELECT} WHERE c.id = '${id}'`))[0] ?? false;
    }, 'a call');
  /** Id of the call that the answer names, which is the answer's own. */
  const idOf = ({ headers }: { headers: Record<string, unknown> }) => {
    const [, id = ''] = /^hone:\/\/\/[^/]+\/[^/]+\/call\/(.+)$/.exec(String(headers['hone-call'])) ?? [];
    return id;
  };
  const counts = async () => {
    await flush();
    const [row] = await gateway.sql<{ usage: number; calls: number; values: number }>(
      `SELECT (SELECT count(*)::int FROM usage_records) usage, (SELECT count(*)::int FROM calls) calls,
         (SELECT count(*)::int FROM call_values) "values"`,
    );
    return row;
  };

  /** @param setting null: none */
  const keep = async (setting: { level: string; redact?: object } | null) => {
    const [{ id } = { id: '' }] = await gateway.sql<{ id: string }>(`SELECT project_id id FROM usage_records LIMIT 1`);
    await gateway.sql(`DELETE FROM project_settings`);
    if (setting !== null) {
      await gateway.sql(
        `INSERT INTO project_settings (project_id, log_calls, redact, updated_at, updated_by)
         VALUES ($1, $2, $3::jsonb, now(), $4)`,
        [id, setting.level, setting.redact ? JSON.stringify(setting.redact) : null, gateway.writer.id],
      );
    }
    await gateway.sql(`SELECT pg_notify('${PROJECT_SETTINGS_CHANNEL}', '${id}')`);
  };

  /** Journals included: a record stays in its segment until that is full. */
  const filesWith = async (text: string): Promise<string[]> => {
    const folder = process.env['HONE_DATA_DIR'] as string;
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const contents = await Promise.all(files.map((file) => readFile(file)));
    return files.filter((_file, at) => contents[at]?.includes(text));
  };
  /** Tables that have it in any column. */
  const rowsWith = async (text: string): Promise<string[]> => {
    const tables = await gateway.sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await gateway.sql(`SELECT FROM "${name}" t WHERE t::text LIKE '%${text}%' LIMIT 1`);
      if (rows.length > 0) found.push(name);
    }
    return found;
  };

  it('have the request as it was sent and the answer as it came', async () => {
    const body =
      '{"model":"hone-tiny", "temperature":0.0,\n "messages":[{"role":"user","content":"repeat: c\\u0061t"}]}';
    const answer = await gateway.caller.post(CHAT, body);
    const id = idOf(answer);
    expect((answer.json() as { id: string }).id).toBe(`chatcmpl-${id}`);
    const call = await stored(id);
    const usage = { requests: 1, prompt_tokens: expect.any(Number), completion_tokens: expect.any(Number) };
    expect(call).toMatchObject({
      ...{ op: expect.stringMatching(/^hone:\/\/\/.+\/op\/chat\.completions:v0$/), parent: null, thread: null },
      ...{ exception: null, inputs: JSON.parse(body), output: answer.json() },
      attributes: {
        model: 'hone-tiny',
        route: 'hone-tiny',
        key_id: gateway.writer.keyId,
        attempts: [{ outcome: 'ok' }],
      },
      summary: { usage: { 'hone-tiny': usage } },
    });
    const [text] = await gateway.sql<{ text: string }>(`SELECT inputs_text text FROM call_values WHERE id = '${id}'`);
    expect(text?.text).toBe(body.replace('\n', ' '));
  });

  it.each(['hone-tiny', 'ok', 'ok+tool-call'])('have what a stream of %s would have been unstreamed', async (model) => {
    const form = { stream: true, stream_options: { include_usage: true } };
    const whole = (await ask({ model, temperature: 0 })).json() as { choices: { message: object }[]; usage: object };
    const streamed = await ask({ model, temperature: 0, ...form });
    const { output } = await stored(idOf(streamed));
    expect(output).toMatchObject({
      ...{ id: `chatcmpl-${idOf(streamed)}`, object: 'chat.completion', usage: whole.usage },
      choices: whole.choices.map(({ message, ...choice }) => ({
        ...choice,
        message: Object.fromEntries(Object.entries(message).filter(([, value]) => value !== null)),
      })),
    });
  });

  it('say which keywords of a tool its calls were not held to, as the answer does', async () => {
    const url = { type: 'string', format: 'uri', maxLength: 100_000, description: 'Of the page' };
    const ways = { oneOf: [{ type: 'integer' }, { type: 'number' }] };
    const parameters = { type: 'object', properties: { url, ways }, required: ['url', 'ways'] };
    const tools = [
      { type: 'function', function: { name: 'a' } },
      { type: 'function', function: { name: 'b', parameters } },
    ];
    const tool_choice = { type: 'function', function: { name: 'b' } };
    const expected = ['properties/url/maxLength', 'properties/url/format', 'properties/ways/oneOf'];
    for (const stream of [false, true]) {
      const answer = await ask({ tools: tools.slice(1), tool_choice, stream, max_tokens: 60 });
      expect(answer.status).toBe(200);
      const warnings = String(answer.headers['hone-warning']).split(', ');
      expect(warnings.sort()).toEqual(expected.map((at) => `not enforced: tools.0.function.parameters/${at}`).sort());
      expect(((await stored(idOf(answer))).attributes['warnings'] as string[]).sort()).toEqual(warnings);
    }
    const second = await ask({ tools, tool_choice });
    expect(second.headers['hone-warning']).toContain('tools.1.function.parameters/properties/url/format');
    const strict = [{ type: 'function', function: { name: 'b', parameters, strict: true } }];
    expect((await ask({ tools: strict, tool_choice })).status).toBe(422);
    expect((await ask({ tools: [], stream: false })).headers).not.toHaveProperty('hone-warning');
  });

  it('are a part of the trace, the conversation and whatever else the request says', async () => {
    const headers = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'hone-thread': 'talk-1',
      'hone-metadata': Buffer.from('{"who":"Zoë","n":1.50}').toString('latin1'),
    };
    const call = await stored(idOf(await ask({ user: 'u1' }, headers)));
    expect(call).toMatchObject({
      ...{ trace: '0af7651916cd43dd8448eb211c80319c', parent: 'b7ad6b7169203331', thread: 'talk-1' },
      attributes: { metadata: { who: 'Zoë', n: 1.5 } },
    });
    expect(await stored(idOf(await ask({ user: 'u1' })))).toMatchObject({ thread: 'u1' });
  });

  it('have the metadata of the body, digit for digit, and that of the header before it', async () => {
    const body = JSON.stringify({ ...CAT, metadata: { who: 'body', run: 'r1', n: 7 } }).replace('"n":7', '"n": 1.50');
    const headers = { 'hone-metadata': '{"who":"header"}' };
    const id = idOf(await gateway.caller.post(CHAT, Buffer.from(body), { headers }));
    expect(await stored(id)).toMatchObject({ attributes: { metadata: { who: 'header', run: 'r1', n: 1.5 } } });
    const [row] = await gateway.sql<{ text: string }>(
      `SELECT attributes_text text FROM call_values WHERE id = '${id}'`,
    );
    expect(row?.text).toContain('"n":1.50');
    const alone = idOf(await ask({ metadata: { run: 'r2' } }, { 'hone-log': 'metadata' }));
    expect((await stored(alone)).attributes).toMatchObject({ metadata: { run: 'r2' }, content_logged: false });
    const long = idOf(await ask({ metadata: { text: 'x'.repeat(20_000) } }));
    expect((await stored(long)).attributes).not.toHaveProperty('metadata');
  });

  it('count as roots of their trace where the span that they were made in has not arrived', async () => {
    const [traceId, spanId] = ['1af7651916cd43dd8448eb211c80319c', '17ad6b7169203331'];
    const traceparent = `00-${traceId}-${spanId}-01`;
    const id = idOf(await ask({}, { traceparent }));
    await stored(id);
    const isOrphan = async () => (await gateway.sql(`SELECT is_orphan FROM calls WHERE id = '${id}'`))[0];
    expect(await isOrphan()).toEqual({ is_orphan: true });
    await gateway.sql(
      `INSERT INTO calls (project_id, id, svc_user_id, trace_id, started_at)
       SELECT project_id, $1, svc_user_id, trace_id, started_at FROM calls WHERE id = $2`,
      [spanId, id],
    );
    const next = idOf(await ask({}, { traceparent }));
    await stored(next);
    expect((await gateway.sql(`SELECT is_orphan FROM calls WHERE id = '${next}'`))[0]).toEqual({ is_orphan: false });
  });

  it.each([
    [{ 'hone-log': 'nothing' }, 'Hone-Log'],
    [{ 'hone-thread': 'x'.repeat(129) }, 'Hone-Thread'],
    [{ 'hone-metadata': '[1]' }, 'Hone-Metadata'],
    [{ 'hone-metadata': '{"a":' }, 'Hone-Metadata'],
    [{ 'hone-metadata': JSON.stringify({ a: 'x'.repeat(4_096) }) }, 'Hone-Metadata'],
  ])('are not made of a request with %j', async (headers, param) => {
    const refused = await ask({}, headers);
    expect((refused.json() as { error: object }).error).toMatchObject({ param });
    expect(refused.status).toBe(422);
  });

  it('have no content where a request or its project wants none', async () => {
    const secret = 'repeat: zebra';
    const messages = [{ role: 'user', content: secret }];
    const lessened = await stored(idOf(await ask({ messages }, { 'hone-log': 'metadata' })));
    expect(lessened).toMatchObject({ inputs: {}, output: null, attributes: { content_logged: false } });
    const before = await counts();
    const off = await ask({ messages }, { 'hone-log': 'off' });
    expect(off.headers['hone-call']).toBeUndefined();
    expect(off.status).toBe(200);
    expect(await filesWith(secret)).toEqual([]);
    await flush();
    expect(await rowsWith(secret)).toEqual([]);
    // What is kept is found.
    await ask({ messages: [{ role: 'user', content: 'repeat: lion' }] });
    await flush();
    expect((await filesWith('repeat: lion')).length).toBe(1);
    // Its values, and the previews that lists show of them.
    expect(await rowsWith('repeat: lion')).toEqual([
      expect.stringMatching(/^call_values/),
      expect.stringMatching(/^calls_/),
    ]);
    await keep({ level: 'off' });
    await until(async () => (await ask({ messages })).headers['hone-call'] === undefined, 'the setting');
    // A request may only lessen it.
    expect((await ask({ messages }, { 'hone-log': 'full' })).headers['hone-call']).toBe(undefined);
    const after = await counts();
    expect(after?.calls).toBeLessThan(after?.usage as number);
    expect(after?.calls).toBeGreaterThanOrEqual(before?.calls as number);
    await keep(null);
    await until(async () => (await ask()).headers['hone-call'] !== undefined, 'the setting');
  });

  describe('of a project that redacts', () => {
    const redact = {
      paths: ['inputs.user', 'output.choices.*.message.content', 'metadata.mail'],
      patterns: ['z(ebr)+a', '(?i)top-secret'],
    };
    beforeAll(async () => {
      await keep({ level: 'full', redact });
      const isObeyed = async () =>
        JSON.stringify(await stored(idOf(await ask({ user: 'probe' })))).includes('[redacted]');
      await until(isObeyed, 'the setting');
    });
    afterAll(async () => {
      await keep(null);
      await until(async () => (await stored(idOf(await ask({ user: 'probe' })))).thread === 'probe', 'the setting');
    });

    const HEADERS = { 'hone-metadata': '{"mail":"bob@hidden.example","note":"TOP-SECRET plan","n":1.50}' };
    const HIDDEN = ['zebrebra', 'z\\u0065brebra', 'bob@hidden', 'TOP-SECRET', 'u-hidden'];

    it.each([
      ['small', 1, false],
      ['small', 1, true],
      ['in a file', 5_000, false],
      ['in a file', 5_000, true],
    ])('have no byte of that: %s (%d times), stream: %s', async (_name, times, stream) => {
      const messages = [{ role: 'user', content: `repeat: shown zebrebra ${'x zebrebra y '.repeat(times)}` }];
      const body = JSON.stringify({ ...CAT, model: 'ok', messages, user: 'u-hidden', stream, zebrebra: 1 });
      const sent = Buffer.from(body.replace('zebrebra', 'z\\u0065brebra'));
      const answer = await gateway.caller.post(CHAT, sent, { headers: HEADERS });
      expect(answer.status).toBe(200);
      const call = await stored(idOf(answer));
      expect(call).toMatchObject({
        thread: null,
        attributes: { metadata: { mail: '[redacted]', note: '[redacted] plan', n: 1.5 } },
        output: { choices: [{ message: { content: '[redacted]' } }] },
      });
      const { inputs } = call as { inputs: { user: string; messages: { content: string }[] } };
      expect(inputs).toMatchObject({ user: '[redacted]', '[redacted]': 1 });
      expect(inputs.messages[0]?.content).toMatch(/^repeat: shown \[redacted\] x \[redacted\] y /);
      for (const text of HIDDEN) expect([text, await filesWith(text), await rowsWith(text)]).toEqual([text, [], []]);
      expect((await filesWith('shown [redacted]')).length).toBe(1);
    });

    it('keep what a request may lessen from it as well', async () => {
      const answer = await ask({ user: 'u-hidden' }, { ...HEADERS, 'hone-log': 'metadata' });
      expect(await stored(idOf(answer))).toMatchObject({
        ...{ thread: null, inputs: {}, output: null },
        attributes: { content_logged: false, metadata: { mail: '[redacted]' } },
      });
      for (const text of HIDDEN) expect([text, await filesWith(text), await rowsWith(text)]).toEqual([text, [], []]);
    });
  });

  it('are as many as usage records, though callers repeat an id', async () => {
    const before = await counts();
    const headers = { 'x-request-id': 'mine' };
    await Promise.all([1, 2, 3].map(() => ask({}, headers)));
    await flush();
    await ask({}, headers);
    await ask({}, { 'x-request-id': 'not/an:id' });
    const after = await counts();
    expect(after).toEqual({ usage: before!.usage + 5, calls: before!.calls + 5, values: before!.values + 5 });
    expect(await stored('mine')).toMatchObject({ attributes: { request_id: 'mine' } });
  });

  it('say how a request failed, and what came of it', async () => {
    const refused = await ask({ model: 'context-length' });
    expect(refused.status).toBe(400);
    expect(await stored(String(refused.headers['x-request-id']))).toMatchObject({
      ...{ exception: 'context_length_exceeded', output: null, inputs: { model: 'context-length' }, summary: {} },
    });
    const cut = await ask({ model: 'cut@9+tokens@20+pace@5', stream: true });
    const { exception, output } = await stored(idOf(cut));
    const { error } = JSON.parse((cut.text.match(/data: (.*"error".*)/) as string[])[1] as string) as { error: object };
    expect(error).toMatchObject({ code: exception });
    expect(output).toMatchObject({
      choices: [{ finish_reason: null, message: { content: expect.stringMatching(/./) } }],
    });
  });

  const WORDS = 'é\\"\u0001 '.repeat(200_000);
  const TABLE = JSON.stringify(Array.from({ length: 36_000 }, (_, id) => ({ id, name: `row "${id}"`, share: id / 8 })));
  const askedFor = { id: 'a', type: 'function', function: { name: 'query', arguments: '{"table":"t"}' } };

  it.each([
    ['a prompt', false, [{ role: 'user', content: WORDS }]],
    ['a streamed prompt', true, [{ role: 'user', content: WORDS }]],
    [
      'the result of a tool',
      false,
      [
        { role: 'user', content: 'how many?' },
        { role: 'assistant', content: null, tool_calls: [askedFor] },
        { role: 'tool', tool_call_id: 'a', content: TABLE },
      ],
    ],
  ])('keep %s of megabytes whole, and leave no file behind', async (_what, stream, messages) => {
    const answer = await ask({ model: 'ok', messages, stream });
    expect(answer.status).toBe(200);
    const id = idOf(answer);
    const [{ project_id: project, inputs_blob: key } = { project_id: '', inputs_blob: '' }] = await until(async () => {
      await flush();
      const rows = await gateway.sql<{ project_id: string; inputs_blob: string }>(
        `SELECT project_id, inputs_blob FROM call_values WHERE id = '${id}'`,
      );
      return rows.length > 0 && rows;
    }, 'a call');
    const inputs = await gateway.app.get(ValueRepository).getBytes(project, key);
    expect(JSON.parse(inputs.toString())).toEqual({ ...CAT, model: 'ok', messages, stream });
    expect(await readdir(join(process.env['HONE_DATA_DIR'] as string, 'gateway', 'calls'))).toEqual([]);
  });

  it('name images and sounds by refs to files, each stored once', async () => {
    const [image, sound] = [Buffer.alloc(1_500_000, 'png'), Buffer.alloc(3_000, 'wav')] as const;
    const url = `data:image/png;base64,${image.toString('base64')}`;
    const content = [
      { type: 'text', text: 'what is this?' },
      { type: 'image_url', image_url: { url } },
      { type: 'input_audio', input_audio: { data: sound.toString('base64'), format: 'wav' } },
    ];
    for (let times = 0; times < 2; times++) {
      const answer = await ask({ model: 'ok', messages: [{ role: 'user', content }] });
      expect(answer.status).toBe(200);
      const { inputs } = (await stored(idOf(answer))) as { inputs: { messages: [{ content: object[] }] } };
      const refOf = (bytes: Buffer) => expect.stringMatching(`^hone:///[^/]+/[^/]+/file/${bytesDigest(bytes)}`);
      expect(inputs.messages[0].content).toEqual([
        content[0],
        { type: 'image_url', image_url: { url: refOf(image) } },
        { type: 'input_audio', input_audio: { data: refOf(sound), format: 'wav' } },
      ]);
    }
    const files = gateway.app.get(FileRepository, { strict: false });
    const rows = await gateway.sql<{ project: string; digest: string }>(`SELECT project_id project, digest FROM files`);
    expect(rows).toHaveLength(2);
    for (const bytes of [image, sound]) {
      expect(await files.find(rows[0]?.project as string, bytesDigest(bytes))).toEqual(bytes);
    }
  });

  it('keep what jsonb would refuse', async () => {
    const content = '\u0000 \ud800 hone:///a/b/call/c1';
    const id = idOf(await ask({ model: 'ok', messages: [{ role: 'user', content }], metadata: { deep: '1' } }));
    await flush();
    const [row] = await gateway.sql<{ text: string; copy: object; refs: string[] }>(
      `SELECT v.inputs_text text, v.inputs_json copy, c.input_refs refs FROM calls c JOIN call_values v USING (project_id, id)
       WHERE c.id = '${id}'`,
    );
    expect(JSON.parse(row?.text as string)).toMatchObject({ messages: [{ content }] });
    expect(row?.copy).toMatchObject({ messages: [{ content: '\ufffd \ufffd hone:///a/b/call/c1' }] });
  });
});
