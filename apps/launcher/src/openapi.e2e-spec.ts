import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { jest } from '@jest/globals';

import { freePorts } from './config/free-ports.js';
import { RunningLauncher } from './testing/running-launcher.js';

const REPOSITORY = join(import.meta.dirname, '../../..');
const HTTP_METHODS = new Set(['get', 'put', 'post', 'delete']);

// Nine processes start slowly on a busy machine.
jest.setTimeout(900_000);

interface Operation {
  operationId: string;
  summary?: string;
  tags?: string[];
  security?: unknown[];
  responses: Record<string, unknown>;
}
interface Document {
  servers: unknown[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
}

describe('the merged /openapi.json', () => {
  let folder: string;
  let launcher: RunningLauncher;
  let document: Document;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hone-openapi-'));
    const [port] = (await freePorts(1)) as [number];
    launcher = new RunningLauncher({ HONE_DATA_DIR: join(folder, 'data'), HONE_PORT: `${port}` });
    await launcher.says('Hone is ready on');
    const text = await (await fetch(`http://127.0.0.1:${port}/openapi.json`)).text();
    document = JSON.parse(text) as Document;
    await writeFile(join(folder, 'openapi.json'), text);
    await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(async () => {
    launcher.kill('SIGTERM');
    await launcher.exited;
    rmSync(folder, { recursive: true, force: true });
  });

  const run = async (script: string, ...args: string[]): Promise<string> => {
    const started = promisify(execFile)(process.execPath, [join(REPOSITORY, script), ...args], {
      cwd: folder,
      maxBuffer: 2 ** 26,
    });
    return (
      await started.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
        throw new Error(`${stdout}\n${stderr}`);
      })
    ).stdout;
  };

  const operations = (): Operation[] =>
    Object.values(document.paths).flatMap((item) =>
      Object.entries(item).flatMap(([method, operation]) => (HTTP_METHODS.has(method) ? [operation] : [])),
    );

  it('has every service, with operations of unique names, described tags and errors', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(ids).toEqual(
      expect.arrayContaining([
        'createFeedback',
        'createTrainingJob',
        'createChatCompletion',
        'listScorerKinds',
        'getMe',
      ]),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    const tags = new Map(document.tags.map(({ name, description }) => [name, description]));
    for (const { operationId, summary, tags: named = [], security, responses } of operations()) {
      expect([operationId, summary, named.length, security?.length]).toEqual([
        operationId,
        expect.any(String),
        1,
        expect.any(Number),
      ]);
      expect([operationId, tags.get(named[0] as string)]).toEqual([operationId, expect.stringMatching(/\.$/)]);
      expect([operationId, Object.keys(responses)]).toEqual([
        operationId,
        expect.arrayContaining(['200', ...(operationId === 'getSessionStatus' ? [] : ['401']), '500']),
      ]);
    }
  });

  it('has no errors and no warnings by the recommended rules of Redocly', async () => {
    const found = JSON.parse(await run('apps/launcher/lint-openapi.mjs', join(folder, 'openapi.json'))) as unknown[];
    expect(found).toEqual([]);
  });

  it('has a method of @hone/client for each operation', async () => {
    await run('libs/client/generate-endpoints.mjs', 'openapi.json', '--check');
  });

  const COMPILER = [
    ...['--strict', '--noEmit', '--skipLibCheck', '--target', 'ES2022', '--module', 'NodeNext', '--moduleResolution'],
    ...['NodeNext', '--lib', 'ES2022,DOM,DOM.Iterable', '--types', 'node'],
  ];

  it('gives openapi-typescript types that compile, and describe a request as it is sent', async () => {
    await run(
      'node_modules/openapi-typescript/bin/cli.js',
      'openapi.json',
      '-o',
      'types.ts',
      '--default-non-nullable=false',
    );
    await writeFile(join(folder, 'types-use.ts'), TYPES_USE);
    await run('node_modules/typescript/bin/tsc', ...COMPILER, 'types-use.ts');
  });

  it('gives @hey-api/openapi-ts a client that compiles', async () => {
    await run('node_modules/@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'client', '--silent');
    await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}');
    await writeFile(join(folder, 'client-use.ts'), CLIENT_USE);
    const bundled = COMPILER.map((option) => (option === 'NodeNext' ? '' : option)).filter((option) => option !== '');
    const plain = bundled.filter((option) => !/^--module/.test(option));
    await run(
      'node_modules/typescript/bin/tsc',
      ...plain,
      '--module',
      'ESNext',
      '--moduleResolution',
      'bundler',
      'client-use.ts',
    );
  });
});

const TYPES_USE = `
import type { components, operations } from './types.js';
type Feedback = components['schemas']['FeedbackCreateDto'];
export const feedback: Feedback = {
  project_id: 'acme/demo', trace_ref: 'hone:///acme/demo/call/c1', feedback_type: 'quality', payload: { score: 1 },
};
// @ts-expect-error: a type of feedback is a text
export const wrong: Feedback = { ...feedback, feedback_type: 1 };
export const chat: components['schemas']['ChatCompletionRequestDto'] = {
  model: 'hone-tiny', messages: [{ role: 'user', content: 'repeat: cat' }],
};
export type Limit = NonNullable<operations['listTrainingJobs']['parameters']['query']>['limit'];
export const limit: Limit = 5;
`;

const CLIENT_USE = `
import { createChatCompletion, createFeedback, listTrainingJobs } from './client';
export async function use(): Promise<number | undefined> {
  await createFeedback({
    body: { project_id: 'acme/demo', trace_ref: 'hone:///acme/demo/call/c1', feedback_type: 'quality', payload: {} },
  });
  await createChatCompletion({ body: { model: 'hone-tiny', messages: [{ role: 'user', content: 'x' }] } });
  const { data } = await listTrainingJobs({ query: { limit: 5 } });
  return data?.data.length;
}
`;
