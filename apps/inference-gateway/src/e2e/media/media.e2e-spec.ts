import { createHash } from 'node:crypto';

import { aFile, multipart, type Part, until } from '@hone/testing';

import { NO_LIMITS } from '../../metering/limits/limits.js';
import { LimitsRepository } from '../../metering/limits/limits.repository.js';
import { connectedClient } from '../connected-client.fixture.js';
import { type MediaApp, startMediaApp } from './media-app.fixture.js';
import { bytesOf, json, PNG, WAV } from './media-server.fixture.js';

const IMAGES = '/v1/images/generations';
const EDITS = '/v1/images/edits';
const SPEECH = '/v1/audio/speech';
const TRANSCRIPTS = '/v1/audio/transcriptions';

const text = (name: string, content: string): Part => ({ name, content });
const audio = aFile('a.wav', WAV);
/** A form for transcripts. */
const transcriptForm = (...more: Part[]) => multipart(text('model', 'listener'), audio, ...more);

describe('images and audio', () => {
  let gateway: MediaApp;
  beforeAll(async () => {
    gateway = await startMediaApp();
  });
  afterAll(() => gateway.close());
  beforeEach(() => {
    gateway.server.forget();
    gateway.second.forget();
  });

  const paint = (fields: object = {}, headers = {}) =>
    gateway.caller.post(IMAGES, { model: 'painter', prompt: 'a', ...fields }, { headers });
  const speak = (fields: object = {}, headers = {}) =>
    gateway.caller.post(SPEECH, { model: 'speaker', input: 'Hello.', ...fields }, { headers });
  const send = (path: string, { body, options }: ReturnType<typeof multipart>, headers = {}) =>
    gateway.caller.post(path, body, { headers: { ...options.headers, ...headers } });

  it('come from models that the list tells by their kinds', async () => {
    const { data } = (await gateway.caller.get('/v1/models')).json() as { data: { id: string; kind?: string }[] };
    expect(data.map(({ id, kind }) => [id, kind])).toEqual([
      ['painter', 'image'],
      ['speaker', 'speech'],
      ['listener', 'transcription'],
      ['chatter', undefined],
      ['painter-backed', 'image'],
      ['speaker-backed', 'speech'],
      ['listener-backed', 'transcription'],
      // It answers chats, and all others.
      ['all', undefined],
      ['hone-tiny', undefined],
    ]);
  });

  describe('by models of other kinds', () => {
    it.each(['chatter', 'hone-tiny', 'speaker', 'listener'])('are no images: %s', async (model) => {
      const { status, json } = await paint({ model });
      expect([status, json().error.code]).toEqual([404, 'model_not_found']);
      expect(json().error.message).toContain(`does not answer ${IMAGES}. These do: painter, painter-backed, all.`);
    });

    it.each(['chatter', 'hone-tiny', 'painter'])('are no speech and no transcripts: %s', async (model) => {
      expect((await speak({ model })).json().error.message).toContain('These do: speaker, speaker-backed, all.');
      const { status, json } = await send(TRANSCRIPTS, multipart(text('model', model), audio));
      expect([status, json().error.code]).toEqual([404, 'model_not_found']);
      expect(json().error.message).toContain('These do: listener, listener-backed, all.');
    });

    it('are no chats', async () => {
      const messages = [{ role: 'user', content: 'a' }];
      const { status } = await gateway.caller.post('/v1/chat/completions', { model: 'painter', messages });
      expect([status, gateway.server.requests]).toEqual([404, []]);
    });
  });

  it('come from the target of a route that makes them', async () => {
    expect((await paint({ model: 'all' })).status).toBe(200);
    expect((await speak({ model: 'all' })).bytes).toEqual(WAV);
    const { status } = await send(TRANSCRIPTS, multipart(text('model', 'all'), audio));
    expect([status, gateway.server.requests.map(({ fields }) => fields['model'])]).toEqual([
      200,
      ['painter', 'speaker', 'listener'],
    ]);
  });

  describe('whose request is wrong', () => {
    it.each([
      [IMAGES, { prompt: undefined }, 'body.prompt'],
      [IMAGES, { prompt: '' }, 'body.prompt'],
      [IMAGES, { n: 0 }, 'body.n'],
      [IMAGES, { n: 129 }, 'body.n'],
      [IMAGES, { response_format: 'png' }, 'body.response_format'],
      [IMAGES, { stream: true }, 'body.stream'],
      [IMAGES, { partial_images: 2 }, 'body.partial_images'],
      [SPEECH, { input: '' }, 'body.input'],
      [SPEECH, { input: ['a'] }, 'body.input'],
      [SPEECH, { speed: 0 }, 'body.speed'],
      [SPEECH, { stream_format: 'sse' }, 'body.stream_format'],
    ])('%s refuses %j', async (path, fields, loc) => {
      const { status, json } = await (path === IMAGES ? paint(fields) : speak(fields));
      expect([status, json().detail[0].loc.join('.')]).toEqual([422, loc]);
      expect(gateway.server.requests).toEqual([]);
    });

    it.each([
      ['no file', multipart(text('model', 'listener')), 'body.file'],
      ['no model', multipart(audio), 'body.model'],
      ['an empty file', multipart(text('model', 'listener'), aFile('a.wav', '')), 'body.file'],
      ['a text in place of the file', multipart(text('model', 'listener'), text('file', 'x')), 'body.file'],
      ['a file in place of a text', multipart({ ...aFile('m', 'listener'), name: 'model' }, audio), 'body.model'],
      ['two models', transcriptForm(text('model', 'painter')), 'body.model'],
      ['two files', transcriptForm(audio), 'body.file'],
      ['a stream', transcriptForm(text('stream', 'true')), 'body.stream'],
      ['other models', transcriptForm(text('models', 'listener')), 'body.models'],
      ['a long field', transcriptForm(text('language', 'x'.repeat(65))), 'body.language'],
      ['too many fields', transcriptForm(...Array.from({ length: 60 }, (_, at) => text(`f${at}`, 'x'))), 'body'],
    ])('transcripts refuse %s', async (_name, form, loc) => {
      const { status, json } = await send(TRANSCRIPTS, form);
      expect([status, json().detail[0].loc.join('.')]).toEqual([422, loc]);
      expect(gateway.server.requests).toEqual([]);
    });

    it.each([
      ['no image', [text('prompt', 'a')], 'body.image'],
      ['no prompt', [{ ...aFile('a.png', PNG), name: 'image' }], 'body.prompt'],
      ['no number', [{ ...aFile('a.png', PNG), name: 'image' }, text('prompt', 'a'), text('n', '1e9')], 'body.n'],
    ])('edits refuse %s', async (_name, parts, loc) => {
      const { status, json } = await send(EDITS, multipart(text('model', 'painter'), ...parts));
      expect([status, json().detail[0].loc.join('.')]).toEqual([422, loc]);
    });

    it.each([
      ['JSON', 'application/json', Buffer.from('{"model":"listener"}')],
      ['no boundary', 'multipart/form-data', transcriptForm().body],
      ['an empty boundary', 'multipart/form-data; boundary=', transcriptForm().body],
      ['another boundary', 'multipart/form-data; boundary=other', transcriptForm().body],
      ['no end', 'multipart/form-data; boundary=----hone-test', transcriptForm().body.subarray(0, -40)],
      ['nothing', 'multipart/form-data; boundary=----hone-test', Buffer.alloc(0)],
      ['other bytes', 'multipart/form-data; boundary=----hone-test', Buffer.alloc(50_000, '\r\n------hone-tes')],
    ])('transcripts refuse a body that is no form: %s', async (_name, type, body) => {
      const { status, json } = await gateway.caller.post(TRANSCRIPTS, body, { headers: { 'content-type': type } });
      expect([status, json().detail[0].loc]).toEqual([422, ['body']]);
      expect(gateway.server.requests).toEqual([]);
    });

    it('are refused when they are too large, declared or not', async () => {
      const form = multipart(text('model', 'listener'), aFile('a.wav', Buffer.alloc(100_001)));
      expect((await send(TRANSCRIPTS, form)).status).toBe(413);
      const undeclared = await fetch(`${gateway.url}${TRANSCRIPTS}`, {
        method: 'POST',
        headers: { ...form.options.headers, authorization: `Bearer ${gateway.writer.key}` },
        body: new Blob([form.body]).stream(),
        duplex: 'half',
      } as RequestInit);
      expect([undeclared.status, gateway.server.requests]).toEqual([413, []]);
      expect((await paint({ prompt: 'x'.repeat(100_001) })).status).toBe(413);
    });

    it('cannot choose what the upstream reads as the model', async () => {
      const twice = await send(TRANSCRIPTS, transcriptForm(text('x"; name="model', 'other')));
      expect([twice.status, gateway.server.requests]).toEqual([422, []]);
      const { status } = await send(
        TRANSCRIPTS,
        transcriptForm(text('x\\"; name=\\"model', 'other'), text('prompt', '--hone-1\r\n\r\nx')),
      );
      expect(status).toBe(200);
      const [{ fields, files }] = gateway.server.requests as [(typeof gateway.server.requests)[number]];
      expect(fields['model']).toBe('listener');
      expect(files['file']?.bytes).toEqual(WAV);
    });
  });

  const upstreamErrors = [
    [400, 400, 'upstream_rejected'],
    [401, 502, 'upstream_auth'],
    [429, 429, 'upstream_rate_limited'],
    [500, 502, 'upstream_failed'],
  ] as const;

  describe.each([
    ['images', (headers: object) => paint({}, headers)],
    ['speech', (headers: object) => speak({}, headers)],
    ['transcripts', (headers: object) => send(TRANSCRIPTS, transcriptForm(), headers)],
  ])('%s whose upstream fails', (name, ask) => {
    it.each(upstreamErrors)('with %d are a %d', async (failed, status, code) => {
      gateway.server.script.push(json({ error: { message: 'No.' } }, failed));
      const { rid, headers } = gateway.withId();
      const answer = await ask(headers);
      expect([answer.status, answer.json().error.code]).toEqual([status, code]);
      expect(await gateway.booked(rid)).toEqual([expect.objectContaining({ status: 'error', cost: '0' })]);
      expect(await gateway.call(rid)).toMatchObject({ output: null });
    });

    const broken = {
      images: [json({ data: [] }), json({ data: [{}] }), bytesOf('application/json', '{"data":['), json([])],
      speech: [json({ ok: true }), bytesOf('audio/wav', '')],
      transcripts: [json({ words: 3 }), bytesOf('application/json', 'x'), bytesOf('text/plain', Buffer.from([0xff]))],
    }[name as 'images'];
    it.each([...broken, bytesOf('text/html', '<p>'), json({ error: { message: 'Sorry.' } })])(
      'with what is no answer are a 502: %#',
      async (answered) => {
        gateway.server.script.push(answered);
        const { rid, headers } = gateway.withId();
        expect((await ask(headers)).status).toBe(502);
        expect(await gateway.booked(rid)).toEqual([expect.objectContaining({ status: 'error', cost: '0' })]);
      },
    );
  });

  it('come from the next target, where the first fails before anything was sent', async () => {
    for (const one of [json({}, 500), json({}, 500), json({}, 500)]) gateway.server.script.push(one);
    // The second has several keys, the first of which is refused.
    gateway.second.script.push(json({}, 401));
    const speech = await speak({ model: 'speaker-backed' });
    expect([speech.bytes, speech.headers['content-type']]).toEqual([WAV, 'audio/wav']);
    expect(speech.headers).toMatchObject({ 'hone-target': 'two/speaker', 'hone-attempts': '2' });
    expect((await paint({ model: 'painter-backed' })).headers['hone-target']).toBe('two/painter');
    const transcript = await send(TRANSCRIPTS, multipart(text('model', 'listener-backed'), audio));
    expect(transcript.json().text).toBe(`heard ${WAV.length} bytes`);
    const named = await send(TRANSCRIPTS, multipart(text('model', 'listener'), audio), {
      'hone-fallback': 'listener-backed',
    });
    expect(named.status).toBe(200);
  });

  /** Sends the beginning of some audio, and what `then` does. */
  const begins = (then: (end: () => void) => void) =>
    gateway.server.script.push((response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.write(Buffer.alloc(5_000, 1));
      then(() => response.destroy());
    });
  const fetchSpeech = (headers: object, signal?: AbortSignal) =>
    fetch(`${gateway.url}${SPEECH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.writer.key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'speaker', input: 'Größe 🙂' }),
      ...(signal && { signal }),
    });

  it.each(['passthrough', 'buffered'])('that break off break the transfer: %s', async (guard) => {
    begins((end) => setTimeout(end, 50));
    const { rid, headers } = gateway.withId();
    const answer = await fetchSpeech({ ...headers, 'hone-stream-guard': guard });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/mpeg']);
    await expect(answer.arrayBuffer()).rejects.toThrow('terminated');
    const booked = { status: 'error', error_code: 'stream_interrupted', cost: '0' };
    await until(async () => (await gateway.booked(rid)).length > 0, 'the usage record');
    expect(await gateway.booked(rid)).toEqual([expect.objectContaining(booked)]);
  });

  it('that their caller leaves cost the text, and end at the upstream', async () => {
    let isClosed = false;
    gateway.server.script.push((response) => {
      response.on('close', () => (isClosed = true));
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.write(Buffer.alloc(5_000, 1));
    });
    const { rid, headers } = gateway.withId();
    const leaving = new AbortController();
    const answer = await fetchSpeech(headers, leaving.signal);
    await answer.body!.getReader().read();
    leaving.abort();
    await until(() => isClosed, 'the end at the upstream');
    await until(async () => (await gateway.booked(rid)).length > 0, 'the usage record');
    // 7 characters at 15 USD per million.
    expect(await gateway.booked(rid)).toEqual([expect.objectContaining({ status: 'aborted', cost: '105000' })]);
  });

  it('are as large as they are, without being held', async () => {
    const size = 12 * 1_048_576;
    const digest = createHash('sha256').update(Buffer.alloc(size, 7)).digest('hex');
    gateway.server.script.push(bytesOf('audio/flac', Buffer.alloc(size, 7)));
    const { rid, headers } = gateway.withId();
    const answer = await fetchSpeech(headers);
    expect(
      createHash('sha256')
        .update(Buffer.from(await answer.arrayBuffer()))
        .digest('hex'),
    ).toBe(digest);
    expect((await gateway.call(rid)).output).toEqual({ content_type: 'audio/flac', bytes: size, sha256: digest });
  });

  describe('are booked once, and are calls', () => {
    const wav = {
      filename: 'a.wav',
      content_type: 'application/octet-stream',
      bytes: WAV.length,
      sha256: createHash('sha256').update(WAV).digest('hex'),
    };

    it('with the pictures as files', async () => {
      const { rid, headers } = gateway.withId();
      await paint({ n: 2 }, headers);
      // 11 tokens at 5, 22 at 40 USD per million, and two images at 4 cents.
      const tokens = { prompt_tokens: 11, completion_tokens: 22, source: 'upstream' };
      expect(await gateway.booked(rid)).toEqual([
        { status: 'ok', error_code: null, ...tokens, cost: String(11 * 5_000 + 22 * 40_000 + 2 * 40_000_000) },
      ]);
      const { op, inputs, output } = await gateway.call(rid);
      expect([op, inputs]).toEqual([
        'hone:///wendy/default/op/images.generations:v0',
        { model: 'painter', prompt: 'a', n: 2 },
      ]);
      const [first] = (output as { data: { b64_json: string }[] }).data;
      const digest = /^hone:\/\/\/wendy\/default\/file\/(\w+)\?type=image\/png$/.exec(first!.b64_json)?.[1];
      const files = await gateway.sql('SELECT digest FROM files WHERE digest = $1', [digest]);
      expect(files).toHaveLength(1);
    });

    it('with addresses of pictures as they are', async () => {
      gateway.server.script.push(json({ created: 1, data: [{ url: 'https://images.example/1.png' }] }));
      const { rid, headers } = gateway.withId();
      expect((await paint({ response_format: 'url' }, headers)).json().data[0].url).toBe(
        'https://images.example/1.png',
      );
      expect((await gateway.call(rid)).output).toMatchObject({ data: [{ url: 'https://images.example/1.png' }] });
      expect(await gateway.booked(rid)).toMatchObject([{ source: 'estimated' }]);
    });

    it('with what is known of speech', async () => {
      const { rid, headers } = gateway.withId();
      await speak({}, headers);
      expect(await gateway.booked(rid)).toMatchObject([{ status: 'ok', cost: String(6 * 15_000) }]);
      expect(await gateway.call(rid)).toMatchObject({
        op: 'hone:///wendy/default/op/audio.speech:v0',
        inputs: { input: 'Hello.' },
        output: { content_type: 'audio/wav', bytes: WAV.length, sha256: wav.sha256 },
      });
    });

    it.each([
      // Three seconds at 0.6 cents a minute, as the upstream says.
      ['json', 300_000, { text: `heard ${WAV.length} bytes`, usage: { type: 'duration', seconds: 3 } }],
      ['verbose_json', 150_000, { text: `heard ${WAV.length} bytes`, duration: 1.5, segments: [] }],
      // Captions do not say how long the audio is: 1,644 bytes at 128 kbit/s.
      ['srt', 10_300, { text: expect.stringContaining('-->') as string }],
    ])('with what was said: %s', async (format, cost, output) => {
      const { rid, headers } = gateway.withId();
      await send(TRANSCRIPTS, transcriptForm(text('response_format', format)), headers);
      expect(await gateway.booked(rid)).toMatchObject([{ status: 'ok', cost: String(cost) }]);
      expect(await gateway.call(rid)).toEqual({
        op: 'hone:///wendy/default/op/audio.transcriptions:v0',
        inputs: { model: 'listener', response_format: format, file: wav },
        output,
      });
    });

    it('with tokens, where the upstream counts these', async () => {
      const usage = { type: 'tokens', input_tokens: 14, output_tokens: 45, total_tokens: 59 };
      gateway.server.script.push(json({ text: 'a', usage }));
      const { rid, headers } = gateway.withId();
      await send(TRANSCRIPTS, transcriptForm(), headers);
      expect(await gateway.booked(rid)).toMatchObject([
        { prompt_tokens: 14, completion_tokens: 45, source: 'upstream' },
      ]);
    });
  });

  it('are for keys that may use their models', async () => {
    const { key, keyId } = await gateway.user('held');
    await gateway.sql(`UPDATE api_keys SET attributes = '{"models":["speaker"]}' WHERE id = $1`, [keyId]);
    const held = connectedClient(gateway.app, `Bearer ${key}`);
    expect((await held.post(SPEECH, { model: 'speaker', input: 'a' })).status).toBe(200);
    const refused = await held.post(IMAGES, { model: 'painter', prompt: 'a' });
    expect([refused.status, refused.json().error.code]).toEqual([404, 'model_not_found']);
    const { body, options } = transcriptForm();
    expect((await held.post(TRANSCRIPTS, body, options)).status).toBe(404);
  });

  it('are refused once the budget is spent, by what they will cost', async () => {
    const { key, keyId } = await gateway.user('thrifty');
    const limits = { ...NO_LIMITS, dailyBudgetNanoUsd: 100_000_000 };
    await gateway.app.get(LimitsRepository).put({ scope: 'key', id: keyId }, limits);
    const thrifty = connectedClient(gateway.app, `Bearer ${key}`);
    expect((await thrifty.post(IMAGES, { model: 'painter', prompt: 'a', n: 2 })).status).toBe(200);
    await until(
      async () => (await thrifty.post(IMAGES, { model: 'painter', prompt: 'a', n: 2 })).status === 402,
      'the spent budget',
    );
    const { status, json } = await thrifty.post(IMAGES, { model: 'painter', prompt: 'a', n: 2 });
    expect([status, json().error.code]).toEqual([402, 'budget_exceeded']);
  });
});
