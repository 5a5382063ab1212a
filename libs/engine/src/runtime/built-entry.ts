import { fileURLToPath } from 'node:url';

/**
 * The file from which a thread or process of ours starts: `name` beside the module at `moduleUrl`. Tests
 * run from sources that Node cannot start by itself: they get the same file of the last build.
 */
export function builtEntry(moduleUrl: string, name: string): string {
  const path = fileURLToPath(new URL(`./${name}.js`, moduleUrl));
  return moduleUrl.endsWith('.ts') ? path.replace('/libs/engine/src/', '/libs/engine/dist/') : path;
}
