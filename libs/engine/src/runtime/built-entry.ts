import { fileURLToPath } from 'node:url';

/**
 * The entry file of a thread or process: `name` next to the module at `moduleUrl`. Tests run from TypeScript sources,
 * which Node cannot start: they get the same file of the last build.
 */
export function builtEntry(moduleUrl: string, name: string): string {
  const path = fileURLToPath(new URL(`./${name}.js`, moduleUrl));
  return moduleUrl.endsWith('.ts') ? path.replace('/libs/engine/src/', '/libs/engine/dist/') : path;
}
