import type { HttpUpstreamSettings } from '../../targets/http/http-settings.js';
import { DEFAULT_CONFIGURATION, readConfiguration } from './read-configuration.js';

const read = (text: string, variables: Record<string, string> = {}) =>
  readConfiguration('up.yaml', text, (name) => variables[name]);
const anUpstream = (more = '') =>
  `upstreams:\n  - { name: a, kind: openai-compatible, base_url: http://h/v1, models: [{ name: m }]${more} }\n`;

describe('reading the upstreams file', () => {
  it('reads the example of the design', () => {
    const text = `upstreams:
  - { name: local, kind: embedded }   # present by default
  - name: vllm-a
    kind: openai-compatible
    base_url: http://10.0.0.5:8000/v1
    key_env: VLLM_A_KEY
    dialect: vllm
    params: all
    usage: include
    token_frames: true
    connections: 128
    max_concurrency: 64
    models: [{ name: Qwen/Qwen3-8B, context_length: 32768, capabilities: [tools, structured, prefill, logprobs] }]
  - { name: backup, kind: openai-compatible, base_url: "https://llm.example.net/v1", key_env: BACKUP_KEY, dialect: openai, params: openai,
      models: [{ name: big-128k, context_length: 131072, capabilities: [tools, structured] }] }
routes:
  - id: team-chat
    aliases: [gpt-4o-mini]
    strategy: least_busy
    stream_guard: passthrough
    ttft_ms: 8000
    targets: [{ upstream: vllm-a, model: Qwen/Qwen3-8B, weight: 3, priority: 0 }, { upstream: backup, model: big-128k, priority: 1 }]
    price: { prompt: 0.15, cached: 0.07, completion: 0.60 }
project_headers: [Hone-Project, OpenAI-Project]
limits: { max_body_bytes: 33554432, max_logprobs: 20, max_n: 128 }
journal: { sync: write, on_failure: refuse }
`;
    const configuration = read(text, { VLLM_A_KEY: 'ka', BACKUP_KEY: 'kb' });
    expect(configuration.upstreams).toMatchObject([
      { name: 'local', engine: { kind: 'embedded' } },
      { name: 'vllm-a', engine: { key: 'ka', dialect: 'vllm', hasTokenFrames: true } },
      { name: 'backup', engine: { key: 'kb', parameters: 'openai', hasTokenFrames: false }, maxConcurrency: 64 },
    ]);
    expect(configuration.routes).toMatchObject([
      {
        id: 'team-chat',
        aliases: ['gpt-4o-mini'],
        limits: { ttftMs: 8_000 },
        targets: [
          { upstream: 'vllm-a', weight: 3, priority: 0 },
          { upstream: 'backup', weight: 1, priority: 1 },
        ],
        price: { prompt: 0.15, cached: 0.07, completion: 0.6 },
      },
    ]);
  });

  it('reads how a server knows its callers', () => {
    const more = ', keys: [K_A, K_B], out_ms: 7, key_header: api-key, query: { api-version: 2024-10-21 }';
    const { engine } = read(anUpstream(more), { K_A: 'ka', K_B: 'kb' }).upstreams[1] ?? {};
    expect(engine).toMatchObject({
      keys: [
        { name: 'K_A', value: 'ka' },
        { name: 'K_B', value: 'kb' },
      ],
      keyPauses: { outMs: 7, coolingMs: 1_000 },
      keyHeader: 'api-key',
      query: { 'api-version': '2024-10-21' },
    });
  });

  it('reads which answers a route keeps', () => {
    const route = (cache: string) => `${anUpstream()}routes:\n${aRoute('r').replace('targets', `${cache}targets`)}`;
    const cacheOf = (cache: string) => read(route(cache)).routes?.[0]?.cache;
    expect(cacheOf('')).toBeNull();
    expect(cacheOf('cache: { ttl_s: 60 }, ')).toEqual({ ttlMs: 60_000, maxBytes: 67_108_864, scope: 'project' });
    expect(cacheOf('cache: { ttl_s: 1, max_bytes: 2048, scope: key }, ')).toEqual({
      ...{ ttlMs: 1_000, maxBytes: 2_048, scope: 'key' },
    });
  });

  it('reads how adapters are loaded', () => {
    const lora = ', lora: { max_loras: 8, max_cpu_loras: 32, folder: /data/a, adapter_path_map: { /data: /mnt } }';
    expect(read(anUpstream(`, dialect: vllm${lora}`)).upstreams[1]?.engine).toMatchObject({
      kind: 'vllm',
      adapters: { bases: ['m'], maxLoaded: 32, folder: '/data/a', pathMap: [['/data', '/mnt']], loadMs: 60_000 },
    });
    expect(read(anUpstream(', dialect: vllm, lora: {}')).upstreams[1]?.engine).toMatchObject({
      adapters: { bases: ['m'], maxLoaded: 1, folder: null, pathMap: [] },
    });
    expect(read(anUpstream(', dialect: vllm, lora: { enabled: false }')).upstreams[1]?.engine.kind).toBe(
      'openai-compatible',
    );
  });

  it('knows what upstreams of a dialect speak and honour', () => {
    const engine = (more: string) => read(anUpstream(more)).upstreams[1]?.engine as HttpUpstreamSettings;
    const spoken = (more: string) => [...(engine(more).models[0]?.endpoints ?? [])];
    expect(spoken(', dialect: anthropic')).toEqual(['chat/completions', 'messages']);
    expect(spoken(', speaks: [responses, messages]')).toEqual(['chat/completions', 'responses', 'messages']);
    expect(engine(', dialect: anthropic').parameters).toContain('top_k');
    expect(engine(', dialect: gemini').parameters).not.toContain('logit_bias');
    expect(engine(', dialect: azure, api_version: "2024-10-21"')).toMatchObject({ apiVersion: '2024-10-21' });
  });

  it('reads JSON, and takes null for absent', () => {
    const json = JSON.stringify({ upstreams: null, routes: null, drain_ms: 5, forward_headers: ['X-Team'] }, null, 2);
    expect(read(json)).toEqual({ ...DEFAULT_CONFIGURATION, drainMs: 5, forwardHeaders: ['x-team'] });
  });

  it('adds the embedded engine to a file that does not name it', () => {
    expect(read(anUpstream()).upstreams.map(({ name }) => name)).toEqual(['local', 'a']);
  });

  it.each([
    [
      'adapters of another dialect',
      anUpstream(', lora: {}'),
      2,
      'upstreams[0].lora: Only an upstream with dialect: vllm',
    ],
    [
      'a base that the server does not have',
      anUpstream(', dialect: vllm, lora: { bases: [n] }'),
      2,
      'upstreams[0].lora.bases[0]: The upstream has no model n',
    ],
    [
      'fewer loaded adapters than computed ones',
      anUpstream(', dialect: vllm, lora: { max_loras: 4, max_cpu_loras: 2 }'),
      2,
      'upstreams[0].lora.max_cpu_loras: Input should be at least max_loras',
    ],
    [
      'a version of another dialect',
      anUpstream(', api_version: "2024-10-21"'),
      2,
      'upstreams[0].api_version: Only an upstream with dialect: azure has versions',
    ],
    ['an unknown key', 'drain_ms: 1\nroute: []\n', 2, 'route: Unknown key; known here: upstreams, routes'],
    ['an unknown key inside', anUpstream(', conections: 4'), 2, 'upstreams[0].conections: Unknown key'],
    [
      'a key of another kind',
      'upstreams:\n  - name: local\n    kind: embedded\n    base_url: x\n',
      4,
      'base_url: Unknown key',
    ],
    ['a key that comes twice', 'drain_ms: 1\ndrain_ms: 2\n', 2, 'Map keys must be unique'],
    ['no YAML', 'upstreams: [\n', 2, 'Flow sequence'],
    [
      'a cache without a time',
      `${anUpstream()}routes:\n${aRoute('r').replace('targets', 'cache: {}, targets')}`,
      4,
      'cache.ttl_s: Field required',
    ],
    ['no keys', anUpstream(', keys: []'), 2, 'upstreams[0].keys: List should have at least 1 item'],
    ['a key that comes twice', anUpstream(', keys: [K, K]'), 2, 'upstreams[0].keys[1]: The variable is there twice: K'],
    ['keys beside a key', anUpstream(', keys: [K], key_env: K'), 2, 'The key is in key_env already'],
    ['a missing variable of several', anUpstream(', keys: [NO_KEY]'), 2, 'The environment variable NO_KEY is not set'],
    ['another header', anUpstream(', key_header: cookie'), 2, "Input should be 'bearer', 'api-key' or 'x-api-key'"],
    ['a parameter that is no text', anUpstream(', query: { v: 1 }'), 2, 'query.v: Input should be a valid string'],
    ['a missing variable', anUpstream(', key_env: NO_KEY'), 2, 'The environment variable NO_KEY is not set'],
    ['a key with a line end', anUpstream(', key_env: BAD_KEY'), 2, 'visible ASCII'],
    [
      'no base_url',
      'upstreams:\n  - { name: a, kind: openai-compatible, models: [] }\n',
      2,
      'upstreams[0].base_url: Field required',
    ],
    ['a wrong base_url', anUpstream().replace('http://h', 'ftp://h'), 2, 'http:// or https://'],
    ['credentials in an address', anUpstream().replace('http://h', 'http://u:p@h'), 2, 'key_env'],
    ['a wrong number', anUpstream(', connections: 0'), 2, 'connections: Input should be greater than or equal to 1'],
    ['a wrong limit', anUpstream(', ttft_ms: soon'), 2, 'upstreams[0].ttft_ms: Input should be a valid integer'],
    [
      'a wrong word',
      anUpstream(', dialect: vlm'),
      2,
      "dialect: Input should be 'vllm', 'openai', 'generic', 'anthropic', 'azure' or 'gemini'",
    ],
    ['an upstream name that comes twice', anUpstream() + anUpstream().slice(11), 3, 'The name of another upstream: a'],
    ['the engine’s name', anUpstream().replace('name: a', 'name: local'), 2, "The name local is the embedded engine's"],
    ['a model that comes twice', anUpstream().replace('{ name: m }', '{ name: m }, { name: m }'), 2, 'there twice: m'],
    ['a route that comes twice', `${anUpstream()}routes:\n${aRoute('r')}${aRoute('s', '[r]')}`, 5, 'there twice: r'],
    [
      'a route without targets',
      `${anUpstream()}routes:\n  - { id: r, targets: [] }\n`,
      4,
      'List should have at least 1 item',
    ],
    [
      'a route to nowhere',
      `${anUpstream()}routes:\n${aRoute('r').replace('upstream: a', 'upstream: b')}`,
      4,
      'There is no upstream b',
    ],
    [
      'a model that is not there',
      `${anUpstream()}routes:\n${aRoute('r').replace('model: m', 'model: n')}`,
      4,
      'The upstream a has no model n',
    ],
    [
      'a wrong origin',
      'cors:\n  origins: ["https://a.example/x"]\n',
      2,
      "cors.origins[0]: String should match '<scheme>://<host>[:<port>]'",
    ],
  ])('refuses %s, with the line', (_, text, line, reason) => {
    const tryToRead = () => read(text, { BAD_KEY: 'a\nb' });
    expect(tryToRead).toThrow(`up.yaml:${line}: `);
    expect(tryToRead).toThrow(reason);
  });
});

function aRoute(id: string, aliases = '[]'): string {
  return `  - { id: ${id}, aliases: ${aliases}, targets: [{ upstream: a, model: m }] }\n`;
}
