import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

const REPOSITORY = join(import.meta.dirname, '../../..');
const MAX_GZIP_BYTES = 15 * 1_024;
const TEN_MINUTES = 600_000;

const run = async (folder: string, file: string, ...args: string[]) => {
  const npmFree = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const env = { ...Object.fromEntries(npmFree), NODE_OPTIONS: '', npm_config_offline: 'true' };
  const started = promisify(execFile)(file, args, { cwd: folder, env, maxBuffer: 2 ** 24 });
  return (
    await started.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`${stdout}\n${stderr}`);
    })
  ).stdout;
};

const CONSUMER = `
import { Hone, NotFoundError, type FeedbackCreateDto, type HoneOptions } from '@hone/client';

const options: HoneOptions = { baseUrl: 'http://127.0.0.1:1', apiKey: 'k', maxRetries: 0 };
const feedback: FeedbackCreateDto = {
  project_id: 'a/b', trace_ref: 'hone:///a/b/call/c', feedback_type: 't', payload: { a: 1 },
};
export async function main(): Promise<string> {
  const hone = new Hone(options);
  try {
    const { id } = await hone.trace.createFeedback(feedback);
    for await (const call of hone.trace.queryCalls({ project_id: 'a/b' })) console.log(call.op_name, id);
    // @ts-expect-error a kind of job that there is not
    await hone.training.listTrainingJobs({ kind: 'x' });
    return id;
  } catch (error) {
    return error instanceof NotFoundError ? error.code : (error as Error).name;
  }
}
`;

describe('the package @hone/client outside the repository', () => {
  let folder: string;
  let installed: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hone-client-'));
    // Packing builds, and other tests may be reading the build of the repository: so a copy is packed.
    const copy = join(folder, 'repository/libs/client');
    for (const name of ['client', 'contracts', 'json'])
      await cp(join(REPOSITORY, 'libs', name), join(folder, 'repository/libs', name), {
        recursive: true,
        filter: (path) => !/node_modules|[/\\]dist/.test(path.slice(REPOSITORY.length)),
      });
    await cp(join(REPOSITORY, 'tsconfig.base.json'), join(folder, 'repository/tsconfig.base.json'));
    await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'repository/node_modules'));
    const output = await run(copy, 'npm', 'pack', '--json', '--pack-destination', folder, '--silent');
    const [{ filename }] = JSON.parse(output.slice(output.indexOf('[\n'))) as [{ filename: string }];
    installed = join(folder, 'consumer/node_modules/@hone/client');
    await mkdir(installed, { recursive: true });
    await run(folder, 'tar', '-xzf', filename, '-C', installed, '--strip-components=1');
    await writeFile(join(folder, 'consumer/package.json'), '{"type": "module"}');
    await writeFile(join(folder, 'consumer/consumer.ts'), CONSUMER);
  }, TEN_MINUTES);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has no dependency, and imports nothing', async () => {
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect([manifest['dependencies'], manifest['peerDependencies'], manifest['private']]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    for (const name of ['index.js', 'index.d.ts'])
      expect(await readFile(join(installed, 'dist', name), 'utf8')).not.toMatch(/^import |\bfrom '|import\(/m);
  });

  it('is at most 15 KB, compressed', async () => {
    const { length } = gzipSync(await readFile(join(installed, 'dist/index.js')));
    expect(length).toBeLessThanOrEqual(MAX_GZIP_BYTES);
  });

  it('type-checks a strict consumer, declarations included, without the types of Node', async () => {
    const compilerOptions = {
      ...{ module: 'NodeNext', target: 'ES2022', lib: ['ES2023', 'DOM', 'DOM.AsyncIterable'], types: [] },
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
    };
    await writeFile(
      join(folder, 'consumer/tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
    );
    await run(
      join(folder, 'consumer'),
      process.execPath,
      join(REPOSITORY, 'node_modules/typescript/bin/tsc'),
      '-p',
      '.',
    );
    const program = "import { main } from './consumer.js'; console.log(await main());";
    const printed = await run(join(folder, 'consumer'), process.execPath, '--input-type=module', '-e', program);
    expect(printed.trim()).toBe('ConnectionError');
  });
});
