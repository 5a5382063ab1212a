import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';

import { LogFile } from './log-file.js';
import { ServiceOutput, shortForm } from './service-output.js';

describe('ServiceOutput', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'hone-log-'));
    path = join(folder, 'trace.log');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('logs everything but messages to the operator, and shows what matters', async () => {
    const shown: string[] = [];
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const output = new ServiceOutput('trace', new LogFile(path), (line) => shown.push(line));
    output.follow(stdout, stderr);
    output.started();
    stdout.write('{"level":30,"msg":"answered"}\nAPI key: secret\n{"level":50,"err":{"message":"no","stack":');
    stdout.write('"long"},"msg":"unexpected error"}\n');
    stderr.write('TypeError: x is not a function\n    at main.js:1:1\n');
    await turn();
    expect(shown).toEqual([
      'API key: secret',
      'trace: error: unexpected error (no)',
      'trace: TypeError: x is not a function',
    ]);
    expect(readFileSync(path, 'utf8')).toBe(
      [
        '{"level":30,"msg":"answered"}',
        '{"level":50,"err":{"message":"no","stack":"long"},"msg":"unexpected error"}',
        'TypeError: x is not a function',
        '    at main.js:1:1',
        '',
      ].join('\n'),
    );
  });

  it('keeps what a process writes before it listens, for the message of a failed start', async () => {
    const shown: string[] = [];
    const stderr = new PassThrough();
    const output = new ServiceOutput('trace', new LogFile('/nowhere/a.log'), (line) => shown.push(line));
    output.follow(new PassThrough(), stderr);
    stderr.end('HONE_X is wrong: expected y.');
    await turn();
    expect([output.complaints, shown]).toEqual([['HONE_X is wrong: expected y.'], []]);
  });

  it('does not flood the terminal', async () => {
    const shown: string[] = [];
    const stderr = new PassThrough();
    const output = new ServiceOutput('trace', new LogFile(path), (line) => shown.push(line));
    output.follow(new PassThrough(), stderr);
    output.started();
    stderr.write('again\n'.repeat(100));
    await turn();
    expect(shown).toHaveLength(11);
    expect(shown.at(-1)).toBe(`trace: ... more in ${path}`);
  });
});

describe('shortForm', () => {
  it.each([
    ['{"level":30,"msg":"fine"}', undefined],
    ['{"level":40,"msg":"slow","reason":"disk"}', 'warning: slow (disk)'],
    ['{"level":60,"msg":"gone"}', 'fatal: gone'],
    ['{"level":50,"broken', '{"level":50,"broken'],
    ['plain', undefined],
  ])('makes of %s: %s', (line, expected) => {
    expect(shortForm(line)).toBe(expected);
  });
});
