import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { lintTexts, REPOSITORY, toolEnvironment } from './lint-texts.fixture.js';

const BOUNDARIES = '@nx/enforce-module-boundaries';

const importing = (name: string) => `import { thing } from '${name}';\nexport const used = thing;\n`;
const tagged = (tag: string) => new RegExp(`^${BOUNDARIES}: A project tagged with "${tag}" (can|is not allowed)`);

/** What is planted where, and the message that must come of it. */
const FORBIDDEN: [string, string, string, RegExp][] = [
  ['a trace app imports another app', 'apps/trace/src/x.ts', importing('@hone/accounts'), tagged('scope:trace')],
  ['an accounts app imports another app', 'apps/accounts/src/x.ts', importing('@hone/trace'), tagged('scope:accounts')],
  ['a training app imports another app', 'apps/training/src/x.ts', importing('@hone/trace'), tagged('scope:training')],
  [
    'an inference app imports another app',
    'apps/inference-gateway/src/x.ts',
    importing('@hone/trace'),
    tagged('scope:inference'),
  ],
  [
    'an evaluation app imports another app',
    'apps/evaluation/src/x.ts',
    importing('@hone/trace'),
    tagged('scope:evaluation'),
  ],
  ['something shared imports an app', 'apps/launcher/src/x.ts', importing('@hone/trace'), tagged('scope:shared')],
  ['an app imports the proxy', 'apps/accounts/src/x.ts', importing('@hone/proxy'), tagged('type:app')],
  ['a worker imports the guards', 'apps/launcher/src/x.ts', importing('@hone/auth'), tagged('type:worker')],
  ['the proxy imports the database', 'apps/proxy/src/x.ts', importing('@hone/database'), tagged('type:proxy')],
  ['queries import the guards', 'libs/call-queries/src/x.ts', importing('@hone/auth'), tagged('type:queries')],
  [
    'the client of our own services imports an app',
    'libs/service-client/src/x.ts',
    importing('@hone/proxy'),
    tagged('type:service-client'),
  ],
  ['the guards import an app', 'libs/auth/src/x.ts', importing('@hone/proxy'), tagged('type:auth')],
  [
    'a remote engine imports the database',
    'libs/tinker/src/x.ts',
    importing('@hone/database'),
    tagged('type:remote-engine'),
  ],
  ['the platform imports a database driver', 'libs/platform/src/x.ts', importing('pg'), tagged('type:platform')],
  ['the database imports HTTP', 'libs/database/src/x.ts', importing('fastify'), tagged('type:data-access')],
  [
    'the artifact store imports the guards',
    'libs/artifacts/src/x.ts',
    importing('@hone/auth'),
    tagged('type:artifacts'),
  ],
  ['the console imports the platform', 'apps/console/src/x.ts', importing('@hone/platform'), tagged('type:console')],
  ['the client imports the platform', 'libs/client/src/x.ts', importing('@hone/platform'), tagged('type:client')],
  ['the tour imports the database', 'apps/tour/src/x.ts', importing('@hone/database'), tagged('type:e2e')],
  ['the test bench imports an app', 'libs/testing/src/x.ts', importing('@hone/proxy'), tagged('type:testing')],
  [
    'contracts import another library',
    'libs/contracts/src/x.ts',
    importing('@hone/database'),
    tagged('type:contracts'),
  ],
  [
    'the JSON library imports another library',
    'libs/json/src/x.ts',
    importing('@hone/database'),
    new RegExp(`^${BOUNDARIES}: A project tagged with "type:json" cannot depend on any libs`),
  ],
  ['the JSON library imports a package', 'libs/json/src/x.ts', importing('undici'), tagged('type:json')],
  ...['@nestjs/common', 'fastify', 'undici', 'pg', '@prisma/client'].map((name): [string, string, string, RegExp] => [
    `contracts import ${name}`,
    'libs/contracts/src/x.ts',
    importing(name),
    tagged('type:contracts'),
  ]),
  ['threads import the contracts', 'libs/threads/src/x.ts', importing('@hone/contracts'), tagged('type:threads')],
  [
    'statistics import the contracts',
    'libs/statistics/src/x.ts',
    importing('@hone/contracts'),
    tagged('type:statistics'),
  ],
  [
    'statistics read a file',
    'libs/statistics/src/x.ts',
    importing('node:fs'),
    /^no-restricted-imports: 'node:fs' import is restricted.*Statistics are pure functions/,
  ],
  [
    'a project reaches into another by path',
    'apps/trace/src/x.ts',
    importing('../../accounts/src/row-id.js'),
    new RegExp(`^${BOUNDARIES}: Projects cannot be imported by a relative or absolute path`),
  ],
  [
    'a service sees Prisma',
    'apps/trace/src/x.service.ts',
    `import type { Prisma } from '@hone/database';\nexport type Used = Prisma.Sql;\n`,
    /^no-restricted-imports: 'Prisma' import from '@hone\/database' is restricted/,
  ],
  [
    'a repository imports Prisma past @hone/database',
    'apps/trace/src/x.repository.ts',
    importing('@prisma/client'),
    /^no-restricted-imports: '@prisma\/client' import is restricted.*Only libs\/database/,
  ],
  [
    'a service queries the database',
    'apps/trace/src/x.service.ts',
    'export class X { constructor(database) { this.database = database; } f() { return this.database.client.user; } }',
    /^no-restricted-syntax: Only a \*\.repository\.ts queries/,
  ],
  [
    'a service takes the client out of the database',
    'apps/trace/src/x.service.ts',
    'export function f() { const { client } = this.database; return client; }',
    /^no-restricted-syntax: Only a \*\.repository\.ts queries/,
  ],
  [
    'production code uses the test bench',
    'apps/trace/src/x.service.ts',
    importing('@hone/testing'),
    /^no-restricted-imports: '@hone\/testing' import is restricted/,
  ],
  ['the engine imports the database', 'libs/engine/src/x.ts', importing('@hone/database'), tagged('type:engine')],
  [
    'the engine opens a network',
    'libs/engine/src/x.ts',
    importing('node:http'),
    /^no-restricted-imports: 'node:http' import is restricted.*The engine knows no network/,
  ],
  [
    'a service reads the environment',
    'apps/trace/src/x.service.ts',
    'export const used = process.env.X;',
    /^no-restricted-properties: 'process\.env' is restricted/,
  ],
  [
    'a file has a default export',
    'apps/trace/src/x.ts',
    'export default 1;',
    /^no-restricted-exports: Exporting 'default' is restricted/,
  ],
  [
    'a type is any',
    'apps/trace/src/x.ts',
    'export const used = (value: any): number => value;',
    /^@typescript-eslint\/no-explicit-any: /,
  ],
];

const ALLOWED: [string, string, string][] = [
  [
    'an app imports the libraries',
    'apps/trace/src/x.ts',
    importing('@hone/contracts') + importing('@hone/platform').replaceAll('thing', 'other').replace('used', 'also'),
  ],
  [
    'a repository sees Prisma',
    'apps/trace/src/x.repository.ts',
    importing('@hone/database').replaceAll('thing', 'Prisma'),
  ],
  ['a spec uses the test bench', 'libs/auth/src/x.e2e-spec.ts', importing('@hone/testing')],
  ['a configuration reads the environment', 'apps/trace/src/x.config.ts', 'export const used = process.env.X;'],
];

describe('lint', () => {
  let results: Map<string, string[]>;

  beforeAll(async () => {
    // Without a project graph the rule of Nx does nothing and says nothing.
    const nx = join(REPOSITORY, 'node_modules/nx/dist/bin/nx.js');
    await promisify(execFile)(process.execPath, [nx, 'show', 'projects'], { cwd: REPOSITORY, env: toolEnvironment() });
    const planted = [...FORBIDDEN, ...ALLOWED];
    const messages = lintTexts(planted.map(([, path, text]) => [path, text]));
    results = new Map(planted.map(([name], index) => [name, messages[index] as string[]]));
  });

  it.each(FORBIDDEN)('fails when %s', (name, _path, _text, message) => {
    expect(results.get(name)).toEqual(expect.arrayContaining([expect.stringMatching(message)]));
  });

  it.each(ALLOWED)('passes when %s', (name) => {
    expect(results.get(name)).toEqual([]);
  });

  it('knows every project: one scope and one type each, both of them with a rule that was seen to work', () => {
    for (const group of ['apps', 'libs']) {
      for (const folder of readdirSync(join(REPOSITORY, group))) {
        const manifest = JSON.parse(readFileSync(join(REPOSITORY, group, folder, 'package.json'), 'utf8'));
        const tags = manifest.nx?.tags as string[];
        expect([folder, tags.map((tag) => tag.replace(/:.*/, '')).sort()]).toEqual([folder, ['scope', 'type']]);
        for (const tag of tags) expect(FORBIDDEN.map(([, , , message]) => message.source).join()).toContain(tag);
        expect([folder, manifest.scripts?.lint]).toEqual([folder, 'eslint .']);
      }
    }
  });
});
