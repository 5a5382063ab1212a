import OpenAI, { toFile } from 'openai';

import { type GatewayApp, startGatewayApp } from '../gateway-app.fixture.js';
import { MediaServer, PNG, WAV } from '../media/media-server.fixture.js';

describe('the client openai, for images and audio', () => {
  const server = new MediaServer();
  let gateway: GatewayApp;
  let client: OpenAI;
  beforeAll(async () => {
    const upstream = { name: 'm', kind: 'openai-compatible', base_url: await server.start(), retries: 0 };
    const models = [
      { name: 'painter-1', kind: 'image' },
      { name: 'speaker-1', kind: 'speech' },
      { name: 'listener-1', kind: 'transcription' },
    ];
    const route = (id: string) => ({ id, targets: [{ upstream: 'm', model: `${id}-1` }] });
    gateway = await startGatewayApp({
      upstreams: [{ ...upstream, models }],
      routes: ['painter', 'speaker', 'listener'].map(route),
    });
    await gateway.app.listen(0, '127.0.0.1');
    client = new OpenAI({ baseURL: `${await gateway.app.getUrl()}/v1`, apiKey: gateway.writer.key, maxRetries: 0 });
  });
  afterAll(async () => {
    await gateway.close();
    await server.stop();
  });
  beforeEach(() => server.forget());

  const wav = () => toFile(WAV, 'a "b".wav', { type: 'audio/wav' });

  it('makes images', async () => {
    const { data, usage } = await client.images.generate({ model: 'painter', prompt: 'a red square', n: 2 });
    expect(data!.map(({ b64_json: text }) => Buffer.from(text!, 'base64'))).toEqual([PNG, PNG]);
    expect(usage).toMatchObject({ input_tokens: 11, output_tokens: 22 });
    expect(server.requests).toEqual([
      expect.objectContaining({
        path: '/v1/images/generations',
        fields: { model: 'painter-1', prompt: 'a red square', n: 2 },
      }),
    ]);
  });

  it('changes images, of which there may be several', async () => {
    const image = [await toFile(PNG, 'one.png', { type: 'image/png' }), await toFile(PNG, 'two.png')];
    const { data } = await client.images.edit({ model: 'painter', image, prompt: 'blue', n: 1 });
    expect(Buffer.from(data![0]!.b64_json!, 'base64')).toEqual(PNG);
    expect(server.requests[0]).toMatchObject({
      path: '/v1/images/edits',
      fields: { model: 'painter-1', prompt: 'blue', n: '1' },
      files: { 'image[]': { bytes: PNG } },
    });
  });

  it('speaks', async () => {
    const answer = await client.audio.speech.create({ model: 'speaker', input: 'Hello.', voice: 'alloy', speed: 1.25 });
    expect(answer.headers.get('content-type')).toBe('audio/wav');
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(WAV);
    expect(server.requests[0]!.fields).toEqual({ model: 'speaker-1', input: 'Hello.', voice: 'alloy', speed: 1.25 });
  });

  it('writes down what was said', async () => {
    const { text } = await client.audio.transcriptions.create({
      model: 'listener',
      file: await wav(),
      language: 'en',
      prompt: 'Größe\r\n--x',
      temperature: 0.2,
    });
    expect(text).toBe(`heard ${WAV.length} bytes`);
    expect(server.requests[0]).toMatchObject({
      path: '/v1/audio/transcriptions',
      fields: { model: 'listener-1', language: 'en', prompt: 'Größe\r\n--x', temperature: '0.2' },
      files: { file: { type: 'audio/wav', bytes: WAV } },
    });
  });

  it('gets times of words, and captions as text', async () => {
    const verbose = await client.audio.transcriptions.create({
      model: 'listener',
      file: await wav(),
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
    });
    expect([verbose.duration, verbose.segments]).toEqual([1.5, []]);
    expect(server.requests[0]!.fields['timestamp_granularities[]']).toEqual(['word', 'segment']);
    const captions = await client.audio.transcriptions.create({
      model: 'listener',
      file: await wav(),
      response_format: 'srt',
    });
    expect(captions).toBe(`1\n00:00:00,000 --> 00:00:01,000\nheard ${WAV.length} bytes\n`);
  });

  it('translates', async () => {
    const { text } = await client.audio.translations.create({ model: 'listener', file: await wav() });
    expect([text, server.requests[0]!.path]).toEqual([`heard ${WAV.length} bytes`, '/v1/audio/translations']);
  });

  it('reads why an upstream refused, and what is of another kind', async () => {
    server.script.push((response) =>
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"error":{"message":"Your request was rejected by the safety system.","code":"moderation_blocked"}}'),
    );
    const asked = client.images.generate({ model: 'painter', prompt: 'x' });
    await expect(asked).rejects.toMatchObject({ status: 400, code: 'moderation_blocked' });
    const other = client.audio.speech.create({ model: 'painter', input: 'x', voice: 'alloy' });
    await expect(other).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
  });
});
