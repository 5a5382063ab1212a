import { type ChildProcess, execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { writeTinyEncoder } from '@hone/testing/tiny-encoder';

import { writeModelRoutes } from '../cli/model-routes.js';
import { exportGguf } from '../gguf/write/index.js';
import { announced, restOf } from '../model/hub/hub.fixture.js';
import { openBaseModel } from '../model/index.js';
import { writeRandomLlama } from '../model/random-llama.fixture.js';
import { useTempFolder } from '../model/temp-folder.fixture.js';

const SCRIPT = join(import.meta.dirname, '../../dist/bin/models.js');
const ENGINE = join(import.meta.dirname, '../../dist/bin/engine.js');
const HONE_TINY = join(import.meta.dirname, '../../../../models/hone-tiny');

describe('npm run models', () => {
  const folder = useTempFolder();
  const modelsDir = () => join(folder(), 'models');
  const models = (...args: string[]) => run(SCRIPT, args, modelsDir());

  async function aGguf(name = 'My Model.gguf'): Promise<string> {
    const path = join(folder(), name);
    const model = await openBaseModel(HONE_TINY);
    await exportGguf(model, await model.loadWeights(), path);
    return path;
  }

  it('adds a GGUF file under its name, which then answers, and removes it', async () => {
    const added = await models('add', await aGguf());
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^My-Model: 1 million parameters, sha256 \w{64}/),
    });
    expect(await models('list')).toEqual({ code: 0, stdout: 'My-Model\n', stderr: '' });
    expect((await run(ENGINE, ['chat', 'repeat: cat', '--model', 'My-Model'], modelsDir())).stdout).toBe('cat\n');
    // The runtime's copy of the weights is gone.
    expect((await readdir(folder())).sort()).toEqual(['My Model.gguf', 'models']);
    expect(await models('remove', 'My-Model')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await readdir(modelsDir())).toEqual([]);
  });

  it('prints the SHA-256 of the file', async () => {
    const path = await aGguf();
    const { stdout } = await models('add', path);
    const digest = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    expect(stdout).toContain(`sha256 ${digest}\n`);
  });

  describe('a base without a chat template', () => {
    let base: string;
    beforeEach(async () => {
      base = join(folder(), 'base');
      await cp(HONE_TINY, base, { recursive: true });
      const path = join(base, 'tokenizer_config.json');
      const { chat_template: _, ...config } = JSON.parse(await readFile(path, 'utf8'));
      await writeFile(path, JSON.stringify(config));
    });

    it('is told that it answers no chat, and how it will', async () => {
      const { code, stdout } = await models('add', base);
      expect(code).toBe(0);
      expect(stdout).toContain('It has no chat template: it refuses every chat');
      expect(stdout).toContain('--chat-template chatml | llama3 | gemma | zephyr | plain');
      expect(stdout).not.toContain('It answers at');
    });

    it('answers chats by a template of a file', async () => {
      const { chat_template: template } = JSON.parse(await readFile(join(HONE_TINY, 'tokenizer_config.json'), 'utf8'));
      await writeFile(join(folder(), 'own.jinja'), template as string);
      const { stdout } = await models('add', base, '--chat-template', join(folder(), 'own.jinja'));
      expect(stdout).toContain('It answers at');
      expect((await run(ENGINE, ['chat', 'repeat: cat', '--model', 'base'], modelsDir())).stdout).toBe('cat\n');
    });

    it('gets a format by name, and ends its answers with the token of the format', async () => {
      const path = join(base, 'tokenizer.json');
      const tokenizer = JSON.parse(await readFile(path, 'utf8')) as { added_tokens: { id: number; content: string }[] };
      const [first] = tokenizer.added_tokens;
      const text = JSON.stringify(tokenizer).replaceAll(JSON.stringify(first!.content), '"<|im_end|>"');
      await writeFile(path, text);
      expect((await models('add', base, '--chat-template', 'chatml')).code).toBe(0);
      const { config, chatTemplate } = await openBaseModel(join(modelsDir(), 'base'));
      expect(config.eosTokenIds).toContain(first!.id);
      expect(chatTemplate.renderText([{ role: 'user', content: 'a' }], { addGenerationPrompt: true })).toBe(
        '<|im_start|>user\na<|im_end|>\n<|im_start|>assistant\n',
      );
    });

    it.each([
      ['llama3', 'llama3 needs the token <|eot_id|>, which the tokenizer lacks'],
      ['none/such', 'none/such is neither a file nor one of chatml, llama3, gemma, zephyr, plain'],
    ])('is refused with --chat-template %s', async (named, reason) => {
      const { code, stderr } = await models('add', base, '--chat-template', named);
      expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
      expect(await readdir(modelsDir())).toEqual([]);
    });

    it.each([
      ['{% nonsense %}', 'it is not valid'],
      ["{{ raise_exception('never') }}", 'never'],
      ["{{ messages[0].content }}{% if tools %}{{ tools | groupby('type') }}{% endif %}", 'Unknown ArrayValue filter'],
    ])('is refused with the template %s', async (template, reason) => {
      await writeFile(join(base, 'chat_template.jinja'), template);
      const { code, stderr } = await models('add', base);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        new RegExp(`^engine\\.chat_template_refused: .*${reason}.*: give it another with --chat-template`),
      );
    });
  });

  describe('a model that embeds texts', () => {
    let encoder: string;
    beforeEach(async () => {
      encoder = join(folder(), 'encoder');
      await writeTinyEncoder(encoder, { maxSeqLength: 16 });
    });

    it('is added with the files that it needs, and says what it does', async () => {
      await writeFile(join(encoder, 'model.safetensors'), 'weights in another format');
      expect(await models('add', encoder, '--name', 'acme/encoder')).toEqual({
        code: 0,
        stdout: expect.stringMatching(
          /^acme\/encoder: embeddings of 24 numbers, texts of up to 16 tokens, mean pooling, sha256 \w{64}\nIt answers at POST \/v1\/embeddings as "model": "acme\/encoder"\.\n$/,
        ),
        stderr: '',
      });
      expect((await readdir(join(modelsDir(), 'acme/encoder'), { recursive: true })).sort()).toEqual([
        ...['1_Pooling', '1_Pooling/config.json', 'config.json', 'modules.json', 'onnx', 'onnx/model.onnx'],
        ...['sentence_bert_config.json', 'tokenizer.json'],
      ]);
      expect((await models('list')).stdout).toBe('acme/encoder\n');
      expect((await models('remove', 'acme/encoder')).code).toBe(0);
      expect((await models('list')).stdout).toContain('None yet');
    });

    it.each<[string, (path: string) => Promise<unknown>, string]>([
      [
        'weights in another format alone',
        (path) => rm(join(path, 'onnx'), { recursive: true }),
        'optimum-cli export onnx',
      ],
      ['no tokenizer', (path) => rm(join(path, 'tokenizer.json')), 'tokenizer.json: the file is missing'],
      ['a torn graph', (path) => truncate(join(path, 'onnx/model.onnx'), 20_000), 'no graph that can be opened'],
      [
        'a graph of another width',
        (path) => writeTinyEncoder(path, { config: { hidden_size: 8 } }),
        'expected [2, 3, 8]',
      ],
    ])('is not added with %s', async (_name, damage, reason) => {
      await damage(encoder);
      const { code, stderr } = await models('add', encoder);
      expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
      expect(await readdir(modelsDir())).toEqual([]);
    });

    it('pools as it is told where its folder does not say', async () => {
      await rm(join(encoder, 'modules.json'));
      await rm(join(encoder, '1_Pooling'), { recursive: true });
      const { stdout } = await models('add', encoder, '--name', 'mean');
      expect(stdout).toMatch(/mean pooling.*\nIt answers at.*\nIts folder does not say how to pool: see --pooling/);
      const told = await models('add', encoder, '--name', 'cls', '--pooling', 'cls');
      expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining('cls pooling') });
      expect(told.stdout).not.toContain('does not say');
      expect((await models('add', encoder, '--pooling', 'max')).code).toBe(2);
      const text = await models('add', HONE_TINY, '--pooling', 'cls');
      expect([text.code, text.stderr]).toEqual([1, expect.stringMatching(/^engine\.pooling_refused: /)]);
    });

    it('takes no chat template', async () => {
      const { code, stderr } = await models('add', encoder, '--chat-template', 'chatml');
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^engine\.chat_template_refused: .*embeds texts/)]);
    });
  });

  it('explains itself when it is asked to', async () => {
    for (const flag of ['--help', '-h']) {
      expect(await models(flag)).toEqual({ code: 0, stdout: expect.stringContaining('Usage:'), stderr: '' });
    }
  });

  it('builds nothing where the engine was built', async () => {
    // There is nothing in this folder that could build.
    const script = join(folder(), 'models.mjs');
    await cp(join(import.meta.dirname, '../../models.mjs'), script);
    await mkdir(join(folder(), 'dist/bin'), { recursive: true });
    await writeFile(join(folder(), 'dist/bin/models.js'), 'console.log(process.argv.slice(2).join())');
    expect(await run(script, ['list', 'x'], modelsDir())).toEqual({ code: 0, stdout: 'list,x\n', stderr: '' });
  });

  it('adds a folder under a name of its own, once', async () => {
    expect((await models('add', HONE_TINY, '--name', 'team/tiny')).code).toBe(0);
    expect((await models('list')).stdout).toBe('team/tiny\n');
    const again = await models('add', HONE_TINY, '--name', 'team/tiny');
    expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/^engine\.model_exists: /) });
  });

  it('goes on with a model of the hub where a kill ended it, and shows how far it is', async () => {
    const hub = await SlowHub.start(join(folder(), 'hub'));
    const add = () => start(SCRIPT, ['add', 'acme/large'], modelsDir(), { HF_ENDPOINT: hub.url });
    hub.isStuck = true;
    const first = add();
    while (!(await hasPart(join(modelsDir(), '.fetched/acme/large')))) await sleep(20);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(await models('list')).toMatchObject({ stdout: 'None yet: npm run models -- add <file.gguf>\n' });
    hub.isStuck = false;
    const { code, stdout, stderr } = await add().ended;
    await hub.stop();
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^model\.safetensors {2}[\d.]+ MB\n$/)]);
    expect(stdout).toMatch(/^Fetching acme\/large from the hub\.\nacme\/large: \d+ million parameters, sha256 \w{64}/);
    expect(hub.ranges).toEqual([expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
    expect(await models('list')).toMatchObject({ stdout: 'acme/large\n' });
    expect(await readdir(modelsDir())).toEqual(['acme']);
  });

  it('leaves nothing of a file that is cut short, and says where', async () => {
    const path = await aGguf('cut.gguf');
    await writeFile(path, (await readFile(path)).subarray(0, 100_000));
    const { code, stderr } = await models('add', path);
    expect([code, stderr]).toEqual([1, expect.stringContaining('cut.gguf')]);
    expect(await readdir(modelsDir())).toEqual([]);
  });

  it('does not remove a model that routes name, as long as their file is what it was', async () => {
    await models('add', HONE_TINY, '--name', 'mine');
    const file = join(folder(), 'upstreams.yaml');
    await writeFile(file, 'routes: …');
    await writeModelRoutes(folder(), file, new Map([['mine', ['chat', 'gpt']]]));
    expect(await models('remove', 'mine')).toEqual({
      code: 1,
      stdout: '',
      stderr: `engine.model_in_use: mine is named by the routes 'chat', 'gpt' in ${file}: take it out of them first.\n`,
    });
    expect((await models('list')).stdout).toBe('mine\n');
    await writeFile(file, 'routes: []');
    expect((await models('remove', 'mine')).code).toBe(0);
  });

  it('names the reason of a template that cannot be read', async () => {
    await models('add', HONE_TINY, '--name', 'mine');
    const template = join(modelsDir(), 'mine/chat_template.jinja');
    await writeFile(template, '{% if %}');
    expect((await models('list')).stdout).toMatch(
      /^mine {2}cannot be loaded: .*mine: the chat template: it is not valid: /,
    );
    const again = await models('add', join(modelsDir(), 'mine'), '--name', 'other');
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/^engine\.chat_template_refused: /)]);
  });

  it.each(['../outside', '/etc/x', '.hidden', 'a/b/c', ''])('does not take %j as a name', async (name) => {
    expect((await models('add', HONE_TINY, '--name', name)).code).toBe(1);
    expect((await models('remove', `x/../../${name}`)).code).toBe(1);
    expect(await readdir(folder())).not.toContain('outside');
  });

  it.each([[[]], [['add']], [['sing', 'x']], [['list', '--loud']]])(
    'explains itself when it is given %j',
    async (args) => {
      const { code, stderr } = await models(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining('Usage:')]);
    },
  );
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const run = (script: string, args: string[], modelsDir: string): Promise<Ended> => start(script, args, modelsDir).ended;

function start(script: string, args: string[], modelsDir: string, variables: Record<string, string> = {}) {
  const env = {
    HONE_MODELS_DIR: modelsDir,
    HONE_DATA_DIR: dirname(modelsDir),
    TMPDIR: modelsDir.replace(/models$/, ''),
    ...variables,
  };
  let child!: ChildProcess;
  const ended = new Promise<Ended>((resolve) => {
    child = execFile(process.execPath, [script, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });
  return { child, ended };
}

/** Whether a part of the weights has come. */
async function hasPart(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  const part = names.find((name) => name.startsWith('.model.safetensors.') && name.endsWith('.part'));
  return part !== undefined && (await stat(join(folder, part))).size > 0;
}

/** A hub with one model, which can stop in the middle of its weights. */
class SlowHub {
  readonly ranges: string[] = [];
  isStuck = false;
  private readonly server = createServer((request, response) => void this.answer(request, response));

  private constructor(private readonly folder: string) {}

  static async start(folder: string): Promise<SlowHub> {
    await writeRandomLlama(folder, { config: { hiddenSize: 128, headDim: 32, intermediateSize: 1024 } });
    const hub = new SlowHub(folder);
    await once(hub.server.listen(0, '127.0.0.1'), 'listening');
    return hub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await once(this.server.close(), 'close');
  }

  private async answer({ url, headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const file = /^\/acme\/large\/resolve\/main\/([\w.]+)$/.exec(url ?? '')?.[1] ?? 'none';
    const content = await readFile(join(this.folder, file)).catch(() => null);
    if (content === null) return void response.writeHead(404).end();
    if (headers.range !== undefined) this.ranges.push(headers.range);
    const { status, headers: sent, body } = restOf(content, headers.range ?? null);
    const isLarge = file.endsWith('.safetensors');
    response.writeHead(status, { ...sent, ...(isLarge && announced(content)) });
    if (!this.isStuck || !isLarge) return void response.end(body);
    response.write(content.subarray(0, content.length / 2));
  }
}
