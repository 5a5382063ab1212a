import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

import { CHECK, HEADS, type LayerTable, readLayers } from './layers.fixture.js';
import { REPOSITORY } from './lint-texts.fixture.js';

const UNCOPIED = ['node_modules', 'dist', 'generated'];

/** Folder, and the files in it that import each other in a circle: [file, what it imports]. */
const CIRCLES: [string, string, [string, string][]][] = [
  [
    'two folders by way of different files of theirs',
    'libs/auth/src',
    [
      ['planted-a/one/x.ts', 'planted-b/one/x.ts'],
      ['planted-b/two/x.ts', 'planted-a/two/x.ts'],
    ],
  ],
  [
    'two folders inside a feature, by types alone',
    'apps/trace/src/feedback/query',
    [
      ['planted-a/x.ts', 'planted-b/x.ts'],
      ['planted-b/y.ts', 'planted-a/y.ts'],
    ],
  ],
  [
    'a folder and a file beside it',
    'apps/training/src/http/large-bodies',
    [
      ['planted/x.ts', 'planted-file.ts'],
      ['planted-file.ts', 'planted/y.ts'],
    ],
  ],
  [
    'three files',
    'libs/engine/src/plan',
    [
      ['planted-a.ts', 'planted-b.ts'],
      ['planted-b.ts', 'planted-c.ts'],
      ['planted-c.ts', 'planted-a.ts'],
    ],
  ],
];

describe('lint of imports inside a project', () => {
  /** A copy of all sources: what is planted must not be seen by others that read the tree. */
  let copy: string;
  let table: LayerTable;
  let lines: string[];

  beforeAll(async () => {
    table = await readLayers();
    copy = mkdtempSync(join(tmpdir(), 'hone-layers-'));
    copySources();
    for (const [app, layers] of Object.entries(table)) for (const layer of Object.keys(layers)) plantAll(app, layer);
    for (const [, folder, imports] of CIRCLES)
      for (const [from, to] of imports) {
        plant(join(folder, to), '');
        plant(join(folder, from), `import type { Thing } from '${pathBetween(from, to)}';\nexport type T = Thing;\n`);
      }
    plant('apps/trace/src/planted/x.ts', "import '../streams/planted.js';\n");
    plant('apps/trace/src/streams/tested.ts', "import './planted.fixture.js';\n");
    plant('apps/trace/src/streams/planted.fixture.ts', "import '../feedback/planted.js';\n");
    plant('bench/planted.mjs', "import '../libs/json/dist/index.js';\nimport '../libs/json/dist/planted.js';\n");
    const { stdout, stderr } = spawnSync(process.execPath, [CHECK], { cwd: copy, encoding: 'utf8' });
    if (stderr !== '') throw new Error(stderr);
    lines = stdout.trim().split('\n');
  });

  afterAll(() => rmSync(copy, { recursive: true }));

  function copySources(): void {
    for (const app of Object.keys(table)) copyFolder(join('apps', app, 'src'));
    copyFolder('libs');
  }

  const copyFolder = (path: string): void =>
    cpSync(join(REPOSITORY, path), join(copy, path), {
      recursive: true,
      filter: (source) => !UNCOPIED.includes(basename(source)),
    });

  function plant(path: string, text: string): void {
    const file = join(copy, path);
    mkdirSync(dirname(file), { recursive: true });
    if (text !== '' || !existsSync(file)) writeFileSync(file, text);
  }

  /** From one layer an import of everything of its app: each other layer, a folder in it, and the top. */
  function plantAll(app: string, layer: string): void {
    plant(`apps/${app}/src/planted.ts`, '');
    plant(`apps/${app}/src/${layer}/planted.ts`, '');
    plant(`apps/${app}/src/${layer}/inner/planted.ts`, '');
    for (const [name, target] of targetsOf(app, layer)) {
      plant(`apps/${app}/src/${layer}/${name}.ts`, `import '../${target.replace('.ts', '.js')}';\n`);
    }
  }

  /** File that imports -> what it imports, both inside of `src`. */
  const targetsOf = (app: string, layer: string): [string, string][] => [
    ['planted-top', 'planted.ts'],
    ...Object.keys(table[app] ?? {})
      .filter((other) => other !== layer)
      .flatMap((other): [string, string][] => [
        [`planted-${other}`, `${other}/planted.ts`],
        [`planted-${other}-inner`, `${other}/inner/planted.ts`],
      ]),
  ];

  const pathBetween = (from: string, to: string): string =>
    `${'../'.repeat(from.split('/').length - 1) || './'}${to.replace('.ts', '.js')}`;

  describe.each(Object.keys(HEADS))('%s', (app) => {
    it('fails for each import that does not point to an allowed layer, and for no other', () => {
      for (const [layer, below] of Object.entries(table[app] ?? {})) {
        const allows = (target: string) =>
          below.includes(dirname(target).split('/')[0] as string) || below.includes(`${dirname(target)}/*.ts`);
        const message = `${layer}/ may import ${below.length > 0 ? `only ${below.join(', ')}` : 'nothing'} of the app`;
        const expected = targetsOf(app, layer)
          .filter(([, target]) => !allows(target))
          .map(([name, target]) => `apps/${app}/src/${layer}/${name}.ts -> apps/${app}/src/${target}: ${message}`);
        expect(expected).not.toEqual([]);
        const seen = lines.filter(
          (line) => line.startsWith(`apps/${app}/src/${layer}/`) && line.includes(' may import '),
        );
        expect(seen.sort()).toEqual(expected.sort());
      }
    });
  });

  it.each(CIRCLES)('fails for a circle of %s', (_name, folder, imports) => {
    const [circle] = lines.filter((line) => line.startsWith(`${folder}: a circle: `));
    for (const [from, to] of imports) expect(circle).toContain(`${folder}/${from} -> ${folder}/${to}`);
  });

  it('fails for a folder that is in no table', () => {
    expect(lines).toContain(
      'apps/trace/src/planted/x.ts -> apps/trace/src/streams/planted.ts: ' +
        'the folder is not in the table of layers (.ci/imports/layers.mjs)',
    );
  });

  it('fails for production code that imports a fixture, which itself may import what it likes', () => {
    expect(lines.filter((line) => line.includes('planted.fixture.ts'))).toEqual([
      'apps/trace/src/streams/tested.ts -> apps/trace/src/streams/planted.fixture.ts: ' +
        'only specs and fixtures import specs and fixtures',
    ]);
  });

  it('fails for a script that imports a built file of no source', () => {
    expect(lines.filter((line) => line.startsWith('bench/'))).toEqual([
      'bench/planted.mjs -> ../libs/json/dist/planted.js: no source is built to this file',
    ]);
  });
});
