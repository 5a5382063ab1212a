import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const REPOSITORY = join(import.meta.dirname, '../../..');
/** The peers, and what they need: installed from here, so that the test takes nothing from a network. */
const PEERS = [
  'class-transformer',
  'class-validator',
  'reflect-metadata',
  '@types/validator',
  'libphonenumber-js',
  'validator',
];
const TEN_MINUTES = 600_000;

const run = async (folder: string, file: string, ...args: string[]) =>
  (await promisify(execFile)(file, args, { cwd: folder, env: quietEnvironment(), maxBuffer: 2 ** 24 })).stdout;

/** npm hands its own settings to what it starts; a run of npm inside of it must not take them up. */
const quietEnvironment = () => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  NODE_OPTIONS: '',
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
});

const CONSUMER = `
import { check, contentDigest, FeedbackCreateDto, parseJson, type Issue } from '@hone/contracts';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';

const good = { project_id: 'acme/demo', trace_ref: 'hone:///acme/demo/call/c1', feedback_type: 't', payload: { a: 1 } };
const { value, issues } = check(FeedbackCreateDto, good);
const projectId: string | undefined = value?.project_id;
const found: Issue[] = check(FeedbackCreateDto, { ...good, payload: [], x: 1 }, ['body']).issues;
const errors = validateSync(plainToInstance(FeedbackCreateDto, { project_id: 'acme/demo' }), { whitelist: true });
console.log(
  JSON.stringify({
    projectId,
    isInstance: value instanceof FeedbackCreateDto,
    issues,
    found,
    errors: errors.map(({ property }) => property),
    ownKeys: Object.keys(new FeedbackCreateDto()),
    digest: contentDigest(parseJson('{"b":1.0,"a":"é"}')),
  }),
);
`;

describe('the package @hone/contracts outside the repository', () => {
  let folder: string;
  let consumer: string;
  let tarball: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hone-contracts-'));
    consumer = join(folder, 'consumer');
    await mkdir(consumer);
    [tarball] = (await pack(await copyOfThePackage())) as [string];
    const peers = await pack(
      folder,
      '--ignore-scripts',
      ...PEERS.map((name) => join(REPOSITORY, 'node_modules', name)),
    );
    const tarballs = ['@hone/contracts', ...PEERS].map((name, at) => [name, `file:${[tarball, ...peers][at]}`]);
    const dependencies = Object.fromEntries(tarballs) as Record<string, string>;
    const manifest = { name: 'consumer', private: true, type: 'module', dependencies };
    await writeFile(join(consumer, 'package.json'), JSON.stringify(manifest));
    await run(consumer, 'npm', 'install', '--offline');
    await writeFile(join(consumer, 'consumer.ts'), CONSUMER);
  }, TEN_MINUTES);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Packing builds, and other tests may be reading the build of the repository: so a copy is packed. */
  async function copyOfThePackage(): Promise<string> {
    const own = ['src', 'package.json', 'tsconfig.build.json', 'tsconfig.pack.json', 'README.md', 'LICENSE'];
    const paths = own.map((name) => `libs/contracts/${name}`);
    for (const path of [...paths, 'libs/json/src', 'libs/json/package.json', 'tsconfig.base.json'])
      await cp(join(REPOSITORY, path), join(folder, 'repository', path), { recursive: true });
    await symlink(join(REPOSITORY, 'node_modules'), join(folder, 'repository/node_modules'));
    return join(folder, 'repository/libs/contracts');
  }

  /** The tarballs of the package in `cwd`, or of the folders that are named. */
  async function pack(cwd: string, ...options: string[]): Promise<string[]> {
    const output = await run(cwd, 'npm', 'pack', '--json', '--pack-destination', folder, '--silent', ...options);
    // What its build prints comes before.
    const packed = JSON.parse(output.slice(output.indexOf('[\n'))) as { filename: string }[];
    return packed.map(({ filename }) => join(folder, filename));
  }

  it('is packed with its build, README and licence, and nothing else', async () => {
    const files = await run(folder, 'tar', '-tzf', tarball);
    const names = files.trim().split('\n');
    expect(names).toEqual(
      expect.arrayContaining([
        'package/LICENSE',
        'package/README.md',
        'package/package.json',
        'package/dist/index.js',
        'package/dist/index.d.ts',
        'package/dist/trace/feedback.dto.d.ts',
      ]),
    );
    expect(
      names.filter((name) => !/^package\/(LICENSE|README\.md|package\.json|dist\/.*\.(js|js\.map|d\.ts))$/.test(name)),
    ).toEqual([]);
    expect(files).not.toMatch(/spec|fixture/);
  });

  it('needs its peers and nothing of the workspace', async () => {
    const manifest = JSON.parse(await readFile(join(consumer, 'node_modules/@hone/contracts/package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      name: '@hone/contracts',
      version: '0.1.0',
      license: 'Apache-2.0',
      type: 'module',
    });
    expect(manifest.private).toBeUndefined();
    expect(manifest.dependencies).toBeUndefined();
    expect(Object.keys(manifest.peerDependencies)).toEqual([
      'class-transformer',
      'class-validator',
      'reflect-metadata',
    ]);
    expect(await readdir(join(consumer, 'node_modules/@hone'))).toEqual(['contracts']);
  });

  it('type-checks a strict consumer, declarations included, without the types of Node', async () => {
    const compilerOptions = {
      module: 'NodeNext',
      target: 'ES2022',
      lib: ['ES2022', 'DOM'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      types: [],
      outDir: 'built',
    };
    await writeFile(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    await run(consumer, process.execPath, join(REPOSITORY, 'node_modules/typescript/bin/tsc'), '-p', '.').catch(
      (error: { stdout: string }) => {
        throw new Error(error.stdout);
      },
    );
    expect(await readdir(join(consumer, 'built'))).toEqual(['consumer.js']);
  });

  it('validates there, with check and with class-validator', async () => {
    const program = CONSUMER.replace(', type Issue', '').replace(/: (string \| undefined|Issue\[\])/g, '');
    await writeFile(join(consumer, 'consumer.mjs'), program);
    expect(JSON.parse(await run(consumer, process.execPath, 'consumer.mjs'))).toEqual({
      projectId: 'acme/demo',
      isInstance: true,
      issues: [],
      found: [
        { loc: ['body', 'payload'], msg: 'Input should be a valid object', type: 'dict_type' },
        { loc: ['body', 'x'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' },
      ],
      errors: ['trace_ref', 'feedback_type', 'payload'],
      ownKeys: [],
      digest: 'fnvNOfMXzDB9fqOQX26F0PQHvU4QxUh1cxEdfDA4dus',
    });
  });

  it('does what its README shows', async () => {
    const readme = await readFile(join(consumer, 'node_modules/@hone/contracts/README.md'), 'utf8');
    const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code as string);
    const printed: string[] = [];
    for (const [index, code] of examples.entries()) {
      await writeFile(join(consumer, `readme-${index}.mjs`), code);
      printed.push((await run(consumer, process.execPath, `readme-${index}.mjs`)).trim());
    }
    expect(printed).toEqual(['true', "[ 'trace_ref', 'feedback_type', 'payload' ]"]);
  });
});
