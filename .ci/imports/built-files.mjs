import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const BUILT = /(['"])(\.[^'"]*\/dist\/[^'"]+\.js)\1/g;

/**
 * Imports of built files by scripts, which neither the compiler nor the cruiser follows: after a source file moved, such
 * an import fails only when its script runs.
 *
 * @returns `[script, path of the import]` where no source is built to that file
 */
export function findUnbuilt() {
  return ['bench', '.ci'].flatMap(scriptsIn).flatMap((script) =>
    [...readFileSync(script, 'utf8').matchAll(BUILT)]
      .map(([, , path]) => path)
      .filter((path) => !existsSync(sourceOf(join(dirname(script), path))))
      .map((path) => [script, path]),
  );
}

/** Those that are the project's own. */
function scriptsIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : scriptsIn(path);
    return entry.name.endsWith('.mjs') ? [path] : [];
  });
}

const sourceOf = (built) => built.replace('/dist/', '/src/').replace(/\.js$/, '.ts');
