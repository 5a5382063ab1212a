import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const REPOSITORY = join(import.meta.dirname, '../../../..');

/**
 * For tools that would start a daemon, or would take Jest's options for theirs. With `CI` set, typescript-eslint would
 * also take a file's types from the disk in place of the text that it is given.
 */
export const toolEnvironment = () => ({
  ...process.env,
  NODE_OPTIONS: '',
  NX_DAEMON: 'false',
  TSESTREE_SINGLE_RUN: 'false',
});

/**
 * Lints texts as if each were the file of its path; nothing is written.
 *
 * @param texts [path, text]
 * @param config file name of a configuration; absent: `eslint.config.mjs`
 * @returns `<rule>: <message>` of each text
 */
export function lintTexts(texts: readonly (readonly [string, string])[], config?: string): string[][] {
  const script = join(import.meta.dirname, 'lint-texts.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, [script, ...(config ? [config] : [])], {
    cwd: REPOSITORY,
    env: toolEnvironment(),
    input: JSON.stringify(texts),
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as string[][];
}
