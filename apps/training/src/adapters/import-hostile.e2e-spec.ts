import { randomBytes } from 'node:crypto';
import { createGzip, gzipSync } from 'node:zlib';

import { MIB } from '@hone/platform';
import { aFile, multipart, type TestClient, type TestResponse } from '@hone/testing';

import { createModel, MODELS } from '../models/model.fixture.js';
import { startTrainingApp, type TrainingApp } from '../training-app.fixture.js';
import { anAdapter, archiveOf, filesOf, safetensorsOf, type TarEntry, tarOf } from './adapter-archive.fixture.js';

const GZIP = { headers: { 'content-type': 'application/gzip' } };
const LIMIT = 4 * MIB;
const WEIGHTS = 'adapter_model.safetensors';
const FIRST = 'base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight';

type Adapter = ReturnType<typeof anAdapter>;

/** An adapter after something was done to it. */
const changed = (change: (adapter: Adapter) => void): TarEntry[] => {
  const adapter = anAdapter();
  change(adapter);
  return filesOf(adapter);
};
const withFields = (fields: object) => changed(({ config }) => Object.assign(config, fields));
const withWeights = (content: Buffer): TarEntry[] => [filesOf(anAdapter())[0], { path: WEIGHTS, content }];
const withHeader = (header: object) => withWeights(safetensorsOf(anAdapter().tensors, { ...header }));
const withEntries = (...entries: TarEntry[]) => [...filesOf(anAdapter()), ...entries];

describe('an import refuses', () => {
  let training: TrainingApp;
  let caller: TestClient;
  let model: string;
  beforeAll(async () => {
    training = await startTrainingApp({ adapterLimitBytes: LIMIT });
    caller = training.caller;
    model = await createModel(caller);
  });
  afterAll(async () => {
    // Whatever was sent, nothing of it is stored, and the service lives.
    expect((await caller.get(`${MODELS}/${model}/checkpoints`)).json().data).toEqual([]);
    for (const prefix of ['tmp', `models/${model}`]) {
      for await (const { uri } of training.store.list(prefix)) expect(uri).toBe('nothing');
    }
    expect((await caller.get('/healthz')).status).toBe(200);
    await training.close();
  });

  const send = (body: Buffer | string, options: { headers: Record<string, string> } = GZIP): Promise<TestResponse> =>
    caller.post(`${MODELS}/${model}/checkpoints/import`, body, options);

  /** The only issue of a 422. */
  async function issueOf(body: Buffer | string, options = GZIP): Promise<{ loc: string[]; msg: string }> {
    const { status, json, text } = await send(body, options);
    expect([status, text.length < 2_000]).toEqual([422, true]);
    const [issue, ...others] = json().detail;
    expect([issue.type, others]).toEqual(['value_error', []]);
    expect(issue.msg.length).toBeLessThanOrEqual(500);
    expect(text).not.toContain(training.dataDir);
    return issue;
  }

  it.each<[string, TarEntry]>([
    ['a path above', { path: '../adapter_config.json' }],
    ['a path above, deeper', { path: 'adapter/../../x' }],
    ['an absolute path', { path: '/etc/passwd' }],
    ['a path with a drive', { path: 'C:/x' }],
    ['another separator', { path: 'adapter\\..\\x' }],
    ['a control character', { path: 'adapter/a\nb' }],
  ])('%s', async (_what, entry) => {
    const { loc, msg } = await issueOf(archiveOf(withEntries({ content: 'x', ...entry })));
    expect([loc, msg]).toEqual([['body'], expect.stringMatching(/^The path '.+' is not allowed in an archive$/)]);
  });

  it.each<[string, TarEntry]>([
    ['a symbolic link', { path: 'x', type: 'SymbolicLink', linkpath: '/etc/passwd' }],
    ['a symbolic link of a file that is read', { path: WEIGHTS, type: 'SymbolicLink', linkpath: '/etc/passwd' }],
    ['a hard link', { path: 'x', type: 'Link', linkpath: 'adapter_config.json' }],
    ['a pipe', { path: 'x', type: 'FIFO' }],
    ['a device', { path: 'x', type: 'CharacterDevice' }],
  ])('%s', async (_what, entry) => {
    const { loc, msg } = await issueOf(archiveOf(withEntries(entry)));
    expect([loc, msg]).toEqual([['body'], expect.stringMatching(/is no plain file or folder, but a \w+$/)]);
  });

  const files = filesOf(anAdapter());
  it.each<[string, TarEntry[], string | null, RegExp]>([
    ['a file twice', [...files, files[0]], 'adapter_config.json', /in the archive twice/],
    [
      'a file twice, in two folders',
      [...files, { ...files[1], path: `b/${WEIGHTS}` }],
      WEIGHTS,
      /in the archive twice/,
    ],
    ['two folders', [files[0], { ...files[1], path: `b/${WEIGHTS}` }], null, /in different folders/],
    ['no configuration', [files[1]], 'adapter_config.json', /^The file is missing$/],
    ['no weights', [files[0]], WEIGHTS, /^The file is missing$/],
    ['a pickle', [files[0], { path: 'adapter_model.bin', content: 'x' }], WEIGHTS, /is a pickle.*safe_serialization/],
    ['nothing', [], null, /not a tar archive/],
    [
      'too many entries',
      Array.from({ length: 1_001 }, (_, at) => ({ path: `f${at}` })),
      null,
      /more than 1000 entries/,
    ],
    [
      'a huge configuration',
      [{ path: files[0].path, content: Buffer.alloc(MIB + 1, 32) }],
      'adapter_config.json',
      /larger/,
    ],
    [
      'a long path',
      [{ path: 'x', type: 'ExtendedHeader', content: 'y'.repeat(70_000) }, ...files],
      null,
      /unknown kind/,
    ],
  ])('an archive with %s', async (_what, entries, file, sentence) => {
    const { loc, msg } = await issueOf(archiveOf(entries));
    expect([loc, msg]).toEqual([file === null ? ['body'] : ['body', file], expect.stringMatching(sentence)]);
  });

  const whole = archiveOf(files);
  it.each<[string, Buffer | string, RegExp]>([
    ['gzip that is cut short', whole.subarray(0, whole.length / 2), /not whole gzip/],
    ['gzip with a changed byte', Buffer.concat([whole.subarray(0, -8), Buffer.alloc(8)]), /not whole gzip/],
    ['tar that is cut short', gzipSync(tarOf(files).subarray(0, -1_500)), /cut short/],
    ['a header that claims more', archiveOf([{ ...files[0], size: 5_000 }]), /damaged|cut short/],
    ['an archive packed twice', gzipSync(whole), /not a tar archive/],
    ['no archive', 'not an archive', /not a tar archive/],
    ['random bytes', randomBytes(5_000), /not a tar archive/],
    ['a zip', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(600)]), /not a tar archive/],
  ])('%s', async (_what, body, sentence) => {
    const { loc, msg } = await issueOf(body);
    expect([loc, msg]).toEqual([['body'], expect.stringMatching(sentence)]);
  });

  it('an empty body, a form without a file, one with two, and another media type', async () => {
    const { body: empty, options: form } = multipart({ name: 'x', content: 'y' });
    const { body: two, options: formOfTwo } = multipart(aFile('a', whole), aFile('b', whole));
    expect((await issueOf(Buffer.alloc(0))).loc).toEqual(['body']);
    expect((await send(empty, form)).json().detail).toMatchObject([{ loc: ['body', 'files'], type: 'missing' }]);
    expect((await send(two, formOfTwo)).json().detail).toMatchObject([{ loc: ['body', 'files'], type: 'too_many' }]);
    const { loc, msg } = await issueOf('{}', { headers: { 'content-type': 'application/json' } });
    expect([loc, msg]).toEqual([['body'], expect.stringMatching(/^The content type should be .*application\/gzip/)]);
    const other = await send(whole, { headers: { ...GZIP.headers, 'content-encoding': 'br' } });
    expect([other.status, other.json().code]).toEqual([415, 'request.encoding_unsupported']);
  });

  it('more bytes than an adapter may have, packed or not', async () => {
    const packed = await send(randomBytes(LIMIT + 1));
    expect([packed.status, packed.json().code]).toEqual([413, 'limit.body_too_large']);
    const bomb = createGzip({ level: 9 });
    const chunks: Buffer[] = [];
    bomb.on('data', (chunk: Buffer) => chunks.push(chunk));
    const ended = new Promise((resolve) => bomb.once('end', resolve));
    bomb.write(tarOf([{ path: 'zeros', size: 2 ** 33 }]).subarray(0, 512));
    for (let written = 0; written < 256; written++) bomb.write(Buffer.alloc(MIB));
    bomb.end();
    await ended;
    const body = Buffer.concat(chunks);
    expect(body.length).toBeLessThan(MIB);
    const unpacked = await send(body);
    expect([unpacked.status, unpacked.json().code]).toEqual([413, 'limit.adapter_too_large']);
  });

  it.each<[string, TarEntry[], RegExp]>([
    ['no JSON', [{ path: 'adapter_config.json', content: '{' }, files[1]], /expected a JSON object/],
    ['a list', [{ path: 'adapter_config.json', content: '[]' }, files[1]], /expected a JSON object/],
    [
      'levels',
      [{ path: 'adapter_config.json', content: `{"rank_pattern":${'['.repeat(9e4)}${']'.repeat(9e4)}}` }, files[1]],
      /./,
    ],
    ['no rank', withFields({ r: null }), /^r is null, expected a number > 0$/],
    ['another method', withFields({ peft_type: 'IA3' }), /^peft_type is "IA3"/],
    ['a rank-stabilised scaling of another type', withFields({ use_rslora: 'yes' }), /^use_rslora is "yes"/],
    ['weight decomposition', withFields({ use_dora: true }), /^use_dora is true/],
    ['a rank that is no whole number', withFields({ rank_pattern: { q_proj: 1.5 } }), /^rank_pattern is/],
    ['ranks in a list', withFields({ rank_pattern: [4] }), /^rank_pattern is/],
    ['a scale below zero', withFields({ alpha_pattern: { q_proj: -4 } }), /^alpha_pattern is/],
    ['a scale that is no number', withFields({ alpha_pattern: { q_proj: '4' } }), /^alpha_pattern is/],
    ['a pattern that backtracks', withFields({ rank_pattern: { '(([\\w.]+)+)+!': 4 } }), /rank_pattern takes too long/],
    [
      'expressions without end',
      withFields({ alpha_pattern: Object.fromEntries(Array.from({ length: 257 }, (_, at) => [`.*${at}.*`, 4])) }),
      /^alpha_pattern has 257 regular expressions, at most 256/,
    ],
    ['an escape of Python alone', withFields({ alpha_pattern: { 'q_proj\\Z': 4 } }), /alpha_pattern is no regular/],
    ['a scale that no float32 holds', withFields({ lora_alpha: 1e300 }), /^the scale of .* is larger than a float32/],
    [
      'a scale of nobody',
      withFields({ alpha_pattern: { q_proj: 1e7 } }),
      /^alpha_pattern has 10000000, at most 1000000/,
    ],
    ['other modules', withFields({ modules_to_save: ['lm_head'] }), /^modules_to_save is/],
    ['biases', withFields({ bias: 'lora_only' }), /^bias is "lora_only"/],
    ['a changed base', withFields({ init_lora_weights: 'pissa' }), /^init_lora_weights is "pissa"/],
  ])('a configuration with %s', async (_what, entries, sentence) => {
    const { loc, msg } = await issueOf(archiveOf(entries));
    expect([loc, msg]).toEqual([['body', 'adapter_config.json'], expect.stringMatching(sentence)]);
  });

  const NAN = Buffer.from(new Float32Array([NaN]).buffer);
  it.each<[string, TarEntry[], RegExp]>([
    [
      'a missing tensor',
      changed(({ tensors }) => delete tensors[FIRST]),
      /lora_A\.weight is missing, expected shape \[2, 128\]/,
    ],
    [
      'a tensor too many',
      changed(({ tensors }) => (tensors[FIRST.replace('.0.', '.9.')] = tensors[FIRST]!)),
      /has no place for/,
    ],
    [
      'another module',
      changed(({ tensors }) => (tensors['base_model.model.lm_head.lora_A.weight'] = tensors[FIRST]!)),
      /lm_head.* does not adapt a projection/,
    ],
    [
      'a name without end',
      changed(({ tensors }) => (tensors['x'.repeat(1e5)] = tensors[FIRST]!)),
      /^x+… does not adapt/,
    ],
    ['another rank', withFields({ r: 4 }), /has the shape \[2, 128\], expected \[4, 128\]/],
    [
      'a listed module without tensors',
      withFields({ target_modules: ['q_proj', 'down_proj', 'k_proj'] }),
      /no tensors for k_proj/,
    ],
    [
      'a module that is not listed',
      withFields({ target_modules: ['q_proj'] }),
      /down_proj.* not named by target_modules/,
    ],
    ['a layer that is not listed', withFields({ layers_to_transform: [0] }), /layers\.1\..* by layers_to_transform/],
    [
      'NaN',
      changed(({ tensors }) => NAN.copy(tensors[FIRST]!.bytes, 8)),
      /q_proj\.lora_A\.weight has a value that is not finite/,
    ],
    [
      'another format',
      changed(({ tensors }) => Object.assign(tensors[FIRST]!, { dtype: 'I32' })),
      /stored as I32, expected F32, F16 or BF16/,
    ],
    [
      'an unknown format',
      withHeader({ [FIRST]: { dtype: 'F7', shape: [2, 128], data_offsets: [0, 1_024] } }),
      /unknown dtype/,
    ],
    [
      'overlapping tensors',
      withHeader({ [FIRST]: { dtype: 'F32', shape: [2, 128], data_offsets: [4, 1_028] } }),
      /overlaps|leaves a gap/,
    ],
    [
      'a range beyond the file',
      withHeader({ [FIRST]: { dtype: 'F32', shape: [2, 128], data_offsets: [2 ** 40, 2 ** 40 + 1_024] } }),
      /gap/,
    ],
    [
      'a shape that overflows',
      withHeader({ [FIRST]: { dtype: 'F32', shape: [2 ** 52, 2 ** 52], data_offsets: [0, 1_024] } }),
      /its shape needs/,
    ],
    [
      'a header of 2^63 bytes',
      withWeights(Buffer.from('ffffffffffffff7f00', 'hex')),
      /its header claims 9223372036854775807 bytes/,
    ],
    [
      'a header that is no JSON',
      withWeights(Buffer.concat([Buffer.from([4, 0, 0, 0, 0, 0, 0, 0]), Buffer.from('{{{{')])),
      /not a JSON object/,
    ],
    ['nothing', withWeights(Buffer.alloc(0)), /only 0 bytes/],
    ['no tensors', withWeights(safetensorsOf({})), /it has no tensors/],
    ['a pickle under its name', withWeights(Buffer.from('\x80\x02}q\x00.'.padEnd(100))), /its header claims/],
  ])('weights with %s', async (_what, entries, sentence) => {
    const { loc, msg } = await issueOf(archiveOf(entries));
    expect([loc, msg]).toEqual([['body', WEIGHTS], expect.stringMatching(sentence)]);
  });
});
