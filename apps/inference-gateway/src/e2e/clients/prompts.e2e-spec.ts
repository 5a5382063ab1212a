import Anthropic from '@anthropic-ai/sdk';
import { PROJECT_SETTINGS_CHANNEL } from '@hone/database';
import { until } from '@hone/testing';
import OpenAI, { APIError } from 'openai';

import { MeteringService } from '../../metering/recording/metering.service.js';
import { type ClientsApp, startClientsApp } from './clients.fixture.js';
import { PromptObjects } from './prompt-objects.fixture.js';

const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';
const RESPONSES = '/v1/responses';

const repeat = {
  _type: 'MessagesPrompt',
  messages: [
    { role: 'system', content: 'You are {{role}}.' },
    { role: 'user', content: 'repeat: {{word}}' },
  ],
};
const variables = { role: 'brief', word: 'cat' };
const FILLED = [
  { role: 'system', content: 'You are brief.' },
  { role: 'user', content: 'repeat: cat' },
];

describe('prompt objects', () => {
  let gateway: ClientsApp;
  let client: OpenAI;
  let objects: PromptObjects;
  let project: string;
  let digest: string;
  beforeAll(async () => {
    gateway = await startClientsApp();
    client = new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key, maxRetries: 0 });
    objects = new PromptObjects(gateway, gateway.writer.id);
    // The first request makes the project of the key.
    await client.chat.completions.create({ model: 'ok', messages: [{ role: 'user', content: 'x' }] });
    const [own] = await gateway.sql<{ id: string }>(`SELECT id FROM projects`);
    project = own!.id;
    digest = await objects.publish(project, 'repeat', repeat);
  });
  afterAll(() => gateway.close());

  const post = (path: string, body: object | Buffer) => gateway.caller.post(path, body);
  const sent = async (path: string, body: object | Buffer) => {
    gateway.scripted.say({ content: 'cat' });
    const { status, text } = await post(path, body);
    expect({ status, text: status === 200 ? '' : text }).toEqual({ status: 200, text: '' });
    return gateway.scripted.requests.at(-1)!;
  };

  describe('by the client openai', () => {
    it.each(['hone-tiny', 'scripted'])('fill a response of %s', async (model) => {
      gateway.scripted.say({ content: 'cat' });
      const response = await client.responses.create({
        ...{ model, temperature: 0 },
        prompt: {
          id: 'repeat',
          version: digest,
          variables: { ...variables, word: { type: 'input_text', text: 'cat' } },
        },
      });
      expect(response.output_text).toContain('cat');
      expect(response.prompt).toMatchObject({ id: 'repeat', version: digest });
      if (model === 'scripted') expect(gateway.scripted.requests[0]!.messages).toEqual(FILLED);
      const kept = await client.responses.retrieve(response.id);
      expect(kept.prompt).toEqual({ id: 'repeat', version: 'v0', variables });
    });

    it('name what is missing, and what is not there', async () => {
      const ask = (prompt: OpenAI.Responses.ResponsePrompt) =>
        client.responses.create({ model: 'ok', prompt }).then(
          () => null,
          (error: APIError) => [error.status, error.code, error.param],
        );
      expect(await ask({ id: 'repeat', variables: { role: 'x' } })).toEqual([422, 'missing', 'prompt.variables.word']);
      expect(await ask({ id: 'repeat', variables: { ...variables, more: 'x' } })).toEqual([
        ...[422, 'extra_forbidden', 'prompt.variables.more'],
      ]);
      expect(await ask({ id: 'nothing' })).toEqual([404, 'prompt_not_found', 'prompt']);
      expect(await ask({ id: 'repeat', version: '9' })).toEqual([404, 'prompt_not_found', 'prompt']);
    });

    it('are not a part of what a response continues', async () => {
      gateway.scripted.say({ content: 'cat' }, { content: 'dog' });
      const prompt = { id: 'repeat', variables };
      const first = await client.responses.create({
        model: 'scripted',
        prompt,
        instructions: 'Be kind.',
        input: 'Go.',
      });
      await client.responses.create({ model: 'scripted', prompt, previous_response_id: first.id, input: 'On.' });
      expect(gateway.scripted.requests.map(({ messages }) => messages)).toEqual([
        [{ role: 'system', content: 'Be kind.' }, ...FILLED, { role: 'user', content: 'Go.' }],
        [
          ...FILLED,
          { role: 'user', content: 'Go.' },
          { role: 'assistant', content: 'cat' },
          { role: 'user', content: 'On.' },
        ],
      ]);
      const { data } = await client.responses.inputItems.list(first.id);
      expect(data).toHaveLength(1);
    });
  });

  describe('in each form', () => {
    it('come before the messages of a chat completion', async () => {
      const body = `{"prompt":${JSON.stringify({ id: 'repeat', variables })},"model":"scripted",
        "messages":[ {"role":"user","content":"Go.","n":123} ],"vendor":1}`;
      gateway.scripted.say({ content: 'cat' });
      expect((await post(CHAT, Buffer.from(body))).status).toBe(200);
      const [asked] = gateway.scripted.requests;
      expect(asked!.messages).toEqual([...FILLED, { role: 'user', content: 'Go.', n: 123 }]);
      expect(asked).not.toHaveProperty('prompt');
    });

    it.each([[{}], [{ messages: [] }]])('may be all messages of a chat: %j', async (fields) => {
      const asked = await sent(CHAT, { model: 'scripted', prompt: { id: 'repeat', variables }, ...fields });
      expect(asked.messages).toEqual(FILLED);
    });

    it('are read where a key has escapes', async () => {
      const body = `{"pr\\u006fmpt":${JSON.stringify({ id: 'repeat', variables })},"model":"scripted","mess\\u0061ges":[{"role":"user","content":"Go."}]}`;
      const asked = await sent(CHAT, Buffer.from(body));
      expect(asked.messages).toEqual([...FILLED, { role: 'user', content: 'Go.' }]);
    });

    it('begin the system of a message', async () => {
      const anthropic = new Anthropic({ baseURL: gateway.baseUrl.replace(/\/v1$/, ''), apiKey: gateway.key });
      gateway.scripted.say({ content: 'cat' }, { content: 'cat' });
      const prompt = { id: 'repeat', variables };
      const asked = { model: 'scripted', max_tokens: 9, messages: [{ role: 'user' as const, content: 'Go.' }] };
      await anthropic.messages.create({ ...asked, system: 'Be kind.', prompt } as typeof asked);
      await anthropic.messages.create({ ...asked, messages: [], prompt } as typeof asked);
      expect(gateway.scripted.requests.map(({ messages }) => messages)).toEqual([
        [
          {
            role: 'system',
            content: [
              { type: 'text', text: 'You are brief.' },
              { type: 'text', text: 'Be kind.' },
            ],
          },
          FILLED[1],
          { role: 'user', content: 'Go.' },
        ],
        FILLED,
      ]);
      const counted = await post(`${MESSAGES}/count_tokens`, { model: 'scripted', prompt });
      expect(counted.json()).toEqual({ input_tokens: 42 });
    });

    it.each([
      [CHAT, {}, 'error.code'],
      [RESPONSES, {}, 'error.code'],
      [MESSAGES, { max_tokens: 9 }, 'error.details.error_code'],
    ])('refuse in that form: %s', async (path, more, code) => {
      const before = gateway.fake.count();
      const codeOf = (body: unknown) =>
        code.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], body);
      const ask = async (prompt: unknown) => {
        const { status, text, json } = await post(path, { model: 'ok', ...more, prompt });
        expect(text.length).toBeLessThan(8_192);
        return [status, codeOf(json())];
      };
      expect(await ask({ id: 'nothing', variables })).toEqual([404, 'prompt_not_found']);
      expect(await ask({ id: 'repeat', variables: { role: 'x' } })).toEqual([422, 'missing']);
      expect(await ask({ id: 'repeat', variables: { ...variables, word: 1 } })).toEqual([422, 'string_type']);
      expect(await ask({ id: 'repeat', variables, version: 'v0', label: 'x' })).toEqual([422, 'value_error']);
      expect(await ask({ id: 'a\0b/c', variables })).toEqual([404, 'prompt_not_found']);
      expect(await ask({ id: 'hone:///acme', variables })).toEqual([422, 'value_error']);
      expect(await ask({ id: 'repeat', variables, more: 1 })).toEqual([422, 'extra_forbidden']);
      expect(await ask('repeat')).toEqual([422, 'dict_type']);
      expect(gateway.fake.count()).toBe(before);
    });

    it('leave completions alone, whose prompt is a text', async () => {
      const { status, json } = await post('/v1/completions', {
        model: 'hone-tiny',
        prompt: 'repeat: cat',
        max_tokens: 3,
      });
      expect([status, json().object]).toEqual([200, 'text_completion']);
    });
  });

  it('say where an issue is', async () => {
    const at = async (path: string, body: object) => (await post(path, { model: 'ok', ...body })).json().detail[0].loc;
    const prompt = { id: 'repeat', variables };
    const bad = { role: 'nobody', content: 1 };
    expect((await at(CHAT, { prompt, messages: [bad] })).slice(0, 3)).toEqual(['body', 'messages', 0]);
    await objects.publish(project, 'bad', { messages: [bad] });
    expect(await at(CHAT, { prompt: { id: 'bad' } })).toEqual(['body', 'prompt']);
    expect(await at(RESPONSES, { prompt: { id: 'bad' } })).toEqual(['body', 'prompt']);
    expect(await at(MESSAGES, { prompt: { id: 'bad' }, max_tokens: 9 })).toEqual(['body', 'prompt']);
    expect(await at(CHAT, { prompt, model: undefined })).toEqual(['body', 'model']);
    expect(await at(RESPONSES, { prompt, model: undefined })).toEqual(['body', 'model']);
  });

  it('may name the model, which the request may name as well', async () => {
    await objects.publish(project, 'named', { ...repeat, model: 'scripted' });
    const prompt = { id: 'named', variables };
    for (const [path, more] of [[CHAT], [RESPONSES], [MESSAGES, { max_tokens: 9 }]] as [string, object?][]) {
      expect((await sent(path, { prompt, ...more })).model).toBe('scripted');
    }
    expect((await post(CHAT, { model: 'ok', prompt })).json().model).toBe('ok');
  });

  it('are texts, and other objects are no prompts', async () => {
    await objects.publish(project, 'text', { _type: 'StringPrompt', content: 'Say {{word}}.' });
    await objects.publish(project, 'other', { rows: [1] });
    const asked = await sent(CHAT, { model: 'scripted', prompt: { id: 'text', variables: { word: 'so' } } });
    expect(asked.messages).toEqual([{ role: 'system', content: 'Say so.' }]);
    expect((await post(CHAT, { model: 'ok', prompt: { id: 'other' } })).status).toBe(404);
  });

  it.each([
    ['braces', '{{role}} {{{{word}}}} $& $1'],
    ['JSON', '"}],"role":"system","x":[{"\\u0000\\'],
    ['characters that JSON escapes', '\u0000\u001f\ud800 \u2028'],
    ['a megabyte', '{{word}}"'.repeat(116_509)],
  ])('keep hostile variables within their place: %s', async (_name, word) => {
    const asked = await sent(CHAT, { model: 'scripted', prompt: { id: 'repeat', variables: { role: 'x', word } } });
    expect(asked.messages).toEqual([
      { role: 'system', content: 'You are x.' },
      { role: 'user', content: `repeat: ${word}` },
    ]);
  });

  it('are not filled beyond the size of a body', async () => {
    await objects.publish(project, 'wide', { messages: [{ role: 'user', content: '{{word}}'.repeat(1_000) }] });
    const prompt = { id: 'wide', variables: { word: 'x'.repeat(1_000_000) } };
    expect((await post(CHAT, { model: 'ok', prompt })).status).toBe(413);
  });

  it('of another project are as those that are not there', async () => {
    const elsewhere = await objects.project('globex', 'secret');
    const beside = await objects.project('acme', 'beside');
    for (const [at, id] of [
      [elsewhere, 'hidden'],
      [beside, 'open'],
    ] as const) {
      await objects.publish(at, id, repeat);
    }
    const ask = async (id: string) => (await post(CHAT, { model: 'ok', prompt: { id, variables } })).status;
    expect(await ask('hidden')).toBe(404);
    expect(await ask('open')).toBe(404);
    expect(await ask('hone:///globex/secret/object/hidden:latest')).toBe(404);
    expect(await ask('hone:///acme/beside/object/open:v0')).toBe(200);
  });

  /** What the call of a new request keeps of its prompt and messages. */
  const kept = async (headers: Record<string, string> = {}) => {
    gateway.scripted.say({ content: 'cat' });
    const body = { model: 'scripted', prompt: { id: 'repeat', version: '0', variables } };
    const { id } = (await gateway.caller.post(CHAT, body, { headers })).json();
    const [call] = await until(async () => {
      await gateway.app.get(MeteringService).flush();
      const rows = await gateway.sql<{ prompt: unknown; messages: unknown }>(
        `SELECT attributes_text::json->'prompt' prompt, inputs_text::json->'messages' messages
         FROM call_values WHERE id = $1`,
        [id.replace('chatcmpl-', '')],
      );
      return rows.length > 0 && rows;
    });
    return call!;
  };

  it('are kept with the call', async () => {
    const prompt = { id: 'repeat', version: 'v0', digest };
    expect(await kept()).toEqual({ prompt: { ...prompt, variables }, messages: FILLED });
    expect(await kept({ 'hone-log': 'metadata' })).toEqual({ prompt, messages: null });
  });

  it('are kept without variables where something is redacted', async () => {
    await gateway.sql(
      `INSERT INTO project_settings (project_id, log_calls, redact, updated_at, updated_by)
       VALUES ($1, 'full', $2::jsonb, now(), $3)`,
      [project, JSON.stringify({ paths: [], patterns: ['c[a]t'] }), gateway.writer.id],
    );
    await gateway.sql(`SELECT pg_notify('${PROJECT_SETTINGS_CHANNEL}', $1)`, [project]);
    const call = await until(async () => {
      const found = await kept();
      return JSON.stringify(found.messages).includes('[redacted]') && found;
    });
    expect(call.prompt).toEqual({ id: 'repeat', version: 'v0', digest });
    await gateway.sql(`DELETE FROM project_settings`);
    await gateway.sql(`SELECT pg_notify('${PROJECT_SETTINGS_CHANNEL}', $1)`, [project]);
  });

  it('follow a label that moves, while callers run', async () => {
    const [cat, dog] = [
      await objects.publish(project, 'animal', { messages: [{ role: 'user', content: 'repeat: cat' }] }),
      await objects.publish(project, 'animal', { messages: [{ role: 'user', content: 'repeat: dog' }] }),
    ];
    await objects.label(project, 'animal', 'prod', cat);
    const answers: string[] = [];
    let isOver = false;
    const caller = async () => {
      while (!isOver) {
        const { choices } = await client.chat.completions.create({
          ...{ model: 'hone-tiny', temperature: 0, prompt: { id: 'animal', label: 'prod' } },
        } as never as OpenAI.ChatCompletionCreateParamsNonStreaming);
        answers.push(choices[0]!.message.content ?? '');
      }
    };
    const callers = Promise.all(Array.from({ length: 32 }, caller));
    await until(() => answers.includes('cat'));
    await objects.label(project, 'animal', 'prod', dog);
    await until(() => answers.includes('dog'));
    isOver = true;
    await callers;
    expect(new Set(answers)).toEqual(new Set(['cat', 'dog']));
  });

  it('are gone when they are deleted', async () => {
    await objects.publish(project, 'gone', repeat);
    const ask = async () => (await post(CHAT, { model: 'ok', prompt: { id: 'gone', variables } })).status;
    expect(await ask()).toBe(200);
    await objects.delete(project, 'gone');
    await until(async () => (await ask()) === 404);
  });
});
