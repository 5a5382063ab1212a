/**
 * Bundles the client into `dist/index.js`. With `--types` also its declarations into `dist/index.d.ts`, with the types
 * of the contracts in them: the package that is installed elsewhere has no dependency.
 */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { build } from 'rolldown';

const DIST = join(import.meta.dirname, 'dist');
const INPUT = join(import.meta.dirname, 'src/index.ts');
const TSCONFIG = join(import.meta.dirname, '../../tsconfig.base.json');
const EXPORTS = /^export (?:type )?\{ (.*) \};$/gm;

await rm(DIST, { recursive: true, force: true });
const { output } = await build({
  input: INPUT,
  tsconfig: TSCONFIG,
  platform: 'neutral',
  transform: { target: 'es2022' },
  // Documentation comments are in the declarations, where editors read them.
  output: {
    file: join(DIST, 'index.js'),
    format: 'esm',
    sourcemap: true,
    minify: 'dce-only',
    comments: { jsdoc: false },
  },
});
if (process.argv.includes('--types')) await writeFile(join(DIST, 'index.d.ts'), await declarations(output[0].exports));

/** @param {string[]} values what exists at run time: everything else, the classes of bodies too, is a type alone */
async function declarations(values) {
  const { rollup } = await import('rollup');
  const { dts } = await import('rollup-plugin-dts');
  const bundle = await rollup({
    input: INPUT,
    external: [/^node:/, 'class-validator', 'class-transformer', 'reflect-metadata'],
    plugins: [dts({ tsconfig: TSCONFIG, respectExternal: true, includeExternal: ['@hone/contracts', '@hone/json'] })],
  });
  const [{ code }] = (await bundle.generate({ format: 'esm' })).output;
  await bundle.close();
  const names = [...code.matchAll(EXPORTS)].flatMap(([, list]) => list.split(', '));
  const isValue = (name) => values.includes(name);
  return `${code.replace(EXPORTS, '')}
export { ${names.filter(isValue).join(', ')} };
export type { ${names.filter((name) => !isValue(name)).join(', ')} };
`;
}
