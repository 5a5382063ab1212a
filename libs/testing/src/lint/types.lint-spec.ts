import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { lintTexts, REPOSITORY, toolEnvironment } from './lint-texts.fixture.js';

const CONFIG = 'eslint.types.config.mjs';

/** Files of each kind, whose text is replaced: the rules know only files that there are. */
const FILES = [
  'apps/trace/src/main.ts',
  'libs/contracts/src/index.ts',
  'apps/trace/src/log.e2e-spec.ts',
  'libs/platform/src/http/stop-listening.spec.ts',
  'apps/trainer/src/testing/relay.fixture.ts',
  'libs/testing/src/lint/lint-texts.mjs',
  'apps/launcher/start.mjs',
  'bench/run.mjs',
  '.ci/check.mjs',
  'eslint.config.mjs',
];

const ASYNC = 'async function work() { await Promise.resolve(1); }\n';

/** What is planted, and the rule that must fail. */
const PLANTS: [string, string, string][] = [
  ['a promise that nobody waits for', `${ASYNC}work();\n`, 'no-floating-promises'],
  ['a promise where a condition is wanted', `${ASYNC}if (work()) console.log(1);\n`, 'no-misused-promises'],
  [
    'an async function where nobody looks at its promise',
    `${ASYNC}[1].forEach(async () => await work());\n`,
    'no-misused-promises',
  ],
  ['an await of what is no promise', 'const one = 1;\nconsole.log(await one);\nexport {};\n', 'await-thenable'],
];

const SWITCH = [
  "type Colour = 'red' | 'green' | 'blue';",
  'export function brightness(colour: Colour): number {',
  '  switch (colour) {',
  "    case 'red':",
  '      return 1;',
  "    case 'green':",
  '      return 2;',
  '  }',
  '  return 3;',
  '}',
].join('\n');

describe('lint that needs types', () => {
  const planted = [
    ...FILES.flatMap((path) => PLANTS.map(([name, text, rule]) => ({ name, path, text, rule }))),
    ...FILES.filter((path) => path.endsWith('.ts')).map((path) => ({
      name: 'a switch without one of the cases',
      path,
      text: SWITCH,
      rule: 'switch-exhaustiveness-check',
    })),
  ];
  let messages: string[][];

  beforeAll(() => {
    messages = lintTexts(
      planted.map(({ path, text }) => [path, text]),
      CONFIG,
    );
  });

  it.each(planted.map(({ name, path, rule }, index) => [name, path, rule, index] as const))(
    'fails for %s in %s',
    (_name, _path, rule, index) => {
      expect(messages[index]).toEqual([expect.stringMatching(`^@typescript-eslint/${rule}: `)]);
    },
  );

  it('excuses no file', () => {
    const sources = listSources();
    expect(sources.length).toBeGreaterThan(1_000);
    expect(sources.filter((path) => !/\.(tsx?|mjs)$/.test(path))).toEqual([]);
    expect(excusedOf(sources)).toEqual([]);
  });
});

const SKIPPED = /(^|\/)(node_modules|dist|generated|coverage|\.venv)(\/|$)/;

/** All code that is written by hand. */
function listSources(): string[] {
  const folders = ['apps', 'libs', 'bench', 'prisma', '.ci'];
  const paths = folders.flatMap((folder) =>
    readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  return [...paths, ...readdirSync(REPOSITORY)].filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !SKIPPED.test(path));
}

/** The files that this lint does not look at. */
function excusedOf(paths: readonly string[]): string[] {
  const script = `
    import { text } from 'node:stream/consumers';
    import { ESLint } from 'eslint';
    const eslint = new ESLint({ overrideConfigFile: '${CONFIG}' });
    const excused = [];
    for (const path of JSON.parse(await text(process.stdin))) {
      const config = await eslint.calculateConfigForFile(path); // undefined: ignored
      if (config?.rules?.['@typescript-eslint/no-floating-promises']?.[0] !== 2) excused.push(path);
    }
    console.log(JSON.stringify(excused));
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: REPOSITORY,
    env: toolEnvironment(),
    input: JSON.stringify(paths),
    encoding: 'utf8',
  });
  return JSON.parse(output) as string[];
}
