import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { SkyrlServer, startVllm, type VllmProcess } from '@hone/testing';

import { freePorts } from './config/free-ports.js';
import { RunningLauncher } from './testing/running-launcher.js';
import { REPOSITORY } from './testing/shell-blocks.js';

const TOUR = join(REPOSITORY, 'apps/tour/dist/main.js');
const MODEL = join(REPOSITORY, 'models/hone-tiny');
/** The bundled model's name on the servers; under its own name the embedded engine has it. */
const BASE = 'skyrl/hone-tiny';
const LONG_MS = 900_000;
/** Examples are compared step by step in every run (`remote-engine.engines-spec.ts`). */
const TRAININGS = process.env['HONE_ENGINES_LONG'] ? ['rl', 'sft'] : ['rl'];

/** As the engines file and the upstreams file of a user; YAML takes JSON. */
const enginesFile = ({ url }: SkyrlServer) => ({
  engines: [{ name: 'skyrl', kind: 'tinker', url, base_models: { [BASE]: { served_as: MODEL, path: MODEL } } }],
});
const upstreamsFile = ({ baseUrl }: VllmProcess) => ({
  upstreams: [
    {
      name: 'vllm-a',
      kind: 'openai-compatible',
      base_url: baseUrl,
      dialect: 'vllm',
      ttft_last_ms: 300_000,
      response_ms: 300_000,
      models: [{ name: BASE, context_length: 1024 }],
      lora: { max_loras: 4 },
    },
    { name: 'local', kind: 'embedded' },
  ],
});

/** What is read of answers. */
interface Answer {
  readonly data: readonly { id: string; base_model: string; inference_name: string; step: number }[];
  readonly engine: object | null;
}

describe('Hone with SkyRL and vLLM, by configuration alone', () => {
  let folder: string;
  let skyrl: SkyrlServer;
  let vllm: VllmProcess;
  let launcher: RunningLauncher;
  let url: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hone-with-engines-'));
    [skyrl, vllm] = await Promise.all([SkyrlServer.start({ engine: 'skyrl' }), startVllm({ servedName: BASE })]);
    const write = (name: string, value: object) => {
      writeFileSync(join(folder, name), JSON.stringify(value));
      return join(folder, name);
    };
    const [port] = (await freePorts(1)) as [number];
    url = `http://127.0.0.1:${port}`;
    launcher = new RunningLauncher({
      HONE_PORT: String(port),
      HONE_DATA_DIR: join(folder, '.hone'),
      HONE_ENGINES: write('engines.yaml', enginesFile(skyrl)),
      HONE_UPSTREAMS: write('upstreams.yaml', upstreamsFile(vllm)),
    });
    await launcher.says('Hone is ready on');
  }, LONG_MS);
  afterAll(async () => {
    launcher?.kill('SIGTERM');
    await launcher?.exited;
    await skyrl?.close();
    await vllm?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const get = async (path: string, body?: object) => {
    const key = readFileSync(join(folder, '.hone/api-key'), 'utf8').trim();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const more = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const response = await fetch(url + path, { headers, ...more });
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return { json: (await response.json()) as Answer, headers: response.headers };
  };
  const tour = async (...args: string[]): Promise<string> => {
    const env = { PATH: process.env['PATH'], HONE_URL: url, HONE_DATA_DIR: join(folder, '.hone') };
    const options = { env, maxBuffer: 16 * 1_048_576 };
    const { stdout } = await promisify(execFile)(process.execPath, [TOUR, ...args, '--engine', 'skyrl'], options);
    return stdout;
  };

  it.each(TRAININGS)('learns on both engines in the tour, %s', async (training) => {
    const shown = await tour(training);
    console.log(shown.trim().split('\n').at(-1));
    const shares = /skyrl (\d+) % -> (\d+) %, embedded (\d+) % -> (\d+) %/.exec(shown)?.slice(1).map(Number);
    expect(shares?.length).toBe(4);
    const [before, after, ...embedded] = shares as [number, number, number, number];
    expect(Math.abs(before - embedded[0])).toBeLessThanOrEqual(3);
    expect([after >= 90, embedded[1] >= 90]).toEqual([true, true]);
  });

  it('answers through vLLM with what SkyRL trained, and says so', async () => {
    const { json: models } = await get('/v1/preview/models?entity=local&project=tour');
    const ofSkyrl = models.data.filter(({ base_model }) => base_model === BASE);
    expect(ofSkyrl.length).toBe(TRAININGS.length);
    for (const { id, inference_name } of ofSkyrl) {
      const messages = [{ role: 'user', content: 'reverse: cat' }];
      const { headers } = await get('/v1/chat/completions', { model: inference_name, messages });
      expect(headers.get('hone-target')).toBe(`vllm-a/${BASE}`);
      const { json: checkpoints } = await get(`/v1/preview/models/${id}/checkpoints?limit=1&order=desc`);
      const { json } = await get(`/v1/preview/models/${id}/checkpoints/${checkpoints.data[0]?.step}`);
      expect(json.engine).toMatchObject({
        name: 'skyrl',
        server_model: MODEL,
        reduction: 'sequence_mean',
        clip: 'none',
      });
    }
  });
});
