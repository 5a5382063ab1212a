import { engineFor } from './engine-settings.js';
import { readEngines } from './read-engines.js';

const read = (text: string, variables: Record<string, string> = {}) =>
  readEngines('engines.yaml', text, (name) => variables[name]);
const anEngine = (more = '', models = '{ m: {} }') =>
  `engines:\n  - { name: a, kind: tinker, url: "http://h/api/v1", base_models: ${models}${more} }\n`;

describe('reading the engines file', () => {
  it('reads every key, and adds the embedded engine', () => {
    const text = `engines:
  - name: skyrl-8b
    kind: tinker
    url: http://skyrl:8000/api/v1/
    api_key_env: SKYRL_API_KEY
    base_models: { Qwen/Qwen3-8B: { served_as: q, path: /models/Qwen3-8B }, other: null }
    reduction: sum
    gradient_clip: 1.5
    lora: { rank: 16, alpha: 8, train_mlp: false }
    max_batch: 32
    max_context: 4096
    concurrency: 3
    archive_hosts: [Storage.example]
`;
    const engines = read(text, { SKYRL_API_KEY: 'k' });
    expect(engines).toEqual([
      {
        kind: 'tinker',
        name: 'skyrl-8b',
        url: 'http://skyrl:8000/api/v1',
        apiKey: 'k',
        baseModels: new Map([
          ['Qwen/Qwen3-8B', { servedAs: 'q', path: '/models/Qwen3-8B' }],
          ['other', { servedAs: 'other', path: null }],
        ]),
        reduction: 'sum',
        gradientClip: 1.5,
        lora: { rank: 16, alpha: 8, trainAttention: true, trainMlp: false, trainUnembed: false },
        maxBatch: 32,
        maxContext: 4096,
        concurrency: 3,
        archiveHosts: ['storage.example'],
      },
      { kind: 'embedded', name: 'embedded' },
    ]);
    expect(engineFor(engines, 'other').name).toBe('skyrl-8b');
    expect(engineFor(engines, 'hone-tiny').name).toBe('embedded');
  });

  it('leaves the embedded engine where it is listed: it takes every base model', () => {
    const engines = read(`${anEngine().trimEnd()}\n  - { name: here, kind: embedded }\n`);
    expect(engines.map(({ name }) => name)).toEqual(['a', 'here']);
    expect(engineFor(engines, 'n').name).toBe('here');
  });

  it.each([
    ['an unknown key', anEngine(', ur: 1'), 2, 'engines[0].ur: Unknown key'],
    [
      'an unknown key of a model',
      anEngine('', '{ m: { serve_as: x } }'),
      2,
      'engines[0].base_models.m.serve_as: Unknown',
    ],
    ['another kind', anEngine().replace('tinker', 'ray'), 2, "kind: Input should be 'embedded' or 'tinker'"],
    ['no engines', '{}\n', 1, 'engines: Field required'],
    ['no models', anEngine('', '{}'), 2, 'at least 1 model'],
    ['a wrong address', anEngine().replace('http:', 'ftp:'), 2, 'http:// or https://'],
    ['credentials in an address', anEngine().replace('//h', '//u:p@h'), 2, 'api_key_env'],
    ['a missing variable', anEngine(', api_key_env: NO_KEY'), 2, 'The environment variable NO_KEY is not set'],
    ['a key with a line end', anEngine(', api_key_env: BAD'), 2, 'visible ASCII'],
    ['a batch that is no power of two', anEngine(', max_batch: 48'), 2, 'power of two'],
    ['a wrong reduction', anEngine(', reduction: mean'), 2, "'sequence_mean' or 'sum'"],
    ['a wrong clip', anEngine(', gradient_clip: never'), 2, "'none' or a number above 0"],
    ['a name that comes twice', anEngine() + anEngine().slice(9), 3, 'The name of another engine: a'],
    ["the embedded engine's name", anEngine().replace('name: a', 'name: embedded'), 2, "is the embedded engine's"],
    ['no YAML', 'engines: [\n', 2, 'Flow sequence'],
  ])('refuses %s, with the line', (_, text, line, reason) => {
    const tryToRead = () => read(text, { BAD: 'a\nb' });
    expect(tryToRead).toThrow(`engines.yaml:${line}: `);
    expect(tryToRead).toThrow(reason);
  });
});
