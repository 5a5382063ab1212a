import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const REPOSITORY = join(import.meta.dirname, '../../../..');

/** What the README defines for all commands after it: the key, the address, and short names for curl. */
const DEFINITION = /^(export KEY=|(hone|ask|field)\(\) )/;

/** The `sh` blocks of a Markdown file, as they stand there. */
export async function shellBlocks(file: string): Promise<string[]> {
  const text = await readFile(join(REPOSITORY, file), 'utf8');
  return [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block as string);
}

/** The lines of the README without which other pages' commands cannot run. */
export async function definitions(): Promise<string> {
  const lines = (await shellBlocks('README.md')).join('').split('\n');
  return lines.filter((line) => DEFINITION.test(line)).join('\n');
}

/** Runs commands as a reader would who pasted them, against another port; returns what they print, a line each. */
export async function paste(commands: readonly string[], port: number, cwd: string): Promise<string[]> {
  const script = ['set -eu -o pipefail', ...commands].join('\n').replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`);
  const env = { PATH: process.env['PATH'] };
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd, env, maxBuffer: 16 * 1_048_576 });
  return stdout.trim().split('\n');
}
