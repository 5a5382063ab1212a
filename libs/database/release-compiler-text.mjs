import { readFile, writeFile } from 'node:fs/promises';

/**
 * Lets the generated client read the text of Prisma's query compiler instead of importing it: an imported module keeps
 * 2.3 MB of base64 and its source of the same size in every process until its end.
 */
const CLIENT = new URL('src/generated/internal/class.ts', import.meta.url);

const text = await readFile(CLIENT, 'utf8');
const changed = text.replace(
  /const \{ wasm \} = await import\(("[^"]+")\)\s+return await decodeBase64AsWasm\(wasm\)/,
  (_, module) => `const { readFile } = await import('node:fs/promises')
    const { createRequire } = await import('node:module')
    const source = await readFile(createRequire(import.meta.url).resolve(${module.replace(/\.mjs"$/, '.js"')}), 'latin1')
    const start = source.indexOf('"AGFzbQ') + 1
    return await decodeBase64AsWasm(source.slice(start, source.indexOf('"', start)))`,
);
if (changed === text) throw new Error(`${CLIENT.pathname}: the import of the query compiler was not found`);
await writeFile(CLIENT, changed);
