import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const REPOSITORY = join(import.meta.dirname, '../..');
const COMPRESSED = /\.(js|css|html|svg)$/;

/** Compresses what is sent once, here, and not at each request. */
const compress = (): Plugin => ({
  name: 'compress',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter((file) => COMPRESSED.test(file))) {
      const file = join(dir, name);
      const bytes = readFileSync(file);
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      const parameters = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: parameters }));
    }
  },
});

const FONT_LICENCE = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/LICENSE'));
/** All files of it together: text waits in another typeface for as long as they take. */
const FONT_LIMIT_BYTES = 60 * 1_024;
const isFont = (name: string): boolean => name.endsWith('.woff2');

/** The typeface is asked for with the page, not after its styles; its licence stands beside it. */
const typeface = (): Plugin => ({
  name: 'typeface',
  buildStart() {
    const source = readFileSync(FONT_LICENCE);
    this.emitFile({ type: 'asset', name: 'inter-licence.txt', source });
  },
  transformIndexHtml(_html, { bundle = {} }) {
    return Object.keys(bundle)
      .filter(isFont)
      .map((name) => ({
        tag: 'link',
        attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/console/${name}`, crossorigin: '' },
        injectTo: 'head' as const,
      }));
  },
  generateBundle(_options, bundle) {
    const sizes = Object.values(bundle).map((file) =>
      file.type === 'asset' && isFont(file.fileName) ? file.source.length : 0,
    );
    const bytes = sizes.reduce((total, size) => total + size, 0);
    if (bytes === 0 || bytes > FONT_LIMIT_BYTES)
      this.error(`The typeface takes ${bytes} bytes; at least one file, and ${FONT_LIMIT_BYTES} bytes at most.`);
  },
});

/** What the entry itself is made of: the shared file may need it, and the entry needs the shared file. */
const BASE = {
  name: 'base',
  test: /node_modules\/(?:react|react-dom|scheduler|wouter|regexparam|@tanstack\/(?:query-core|react-query))\/|libs\/(?:client|contracts|json\/src\/(?:values|parse))\//,
  priority: 2,
};
const SHARED = {
  name: 'shared',
  test: /console\/src\/shared\/(?!charts|markdown)|libs\/json\//,
  minShareCount: 2,
  priority: 1,
};

export default defineConfig({
  base: '/console/',
  plugins: [react(), typeface(), compress()],
  resolve: {
    // From their sources, so that the build of none has to be there.
    alias: [
      { find: '@hone/client', replacement: join(REPOSITORY, 'libs/client/src/index.ts') },
      // Its form for browsers needs a document, which a worker has not.
      {
        find: 'decode-named-character-reference',
        replacement: join(REPOSITORY, 'node_modules/decode-named-character-reference/index.js'),
      },
      {
        find: '@hone/contracts/artifact-ref',
        replacement: join(REPOSITORY, 'libs/contracts/src/names/artifact-ref.ts'),
      },
      { find: '@hone/contracts/csv', replacement: join(REPOSITORY, 'libs/contracts/src/csv/index.ts') },
      { find: '@hone/json', replacement: join(REPOSITORY, 'libs/json/src/index.ts') },
    ],
  },
  build: {
    target: 'es2022',
    // Hashed names: they may be kept for ever.
    assetsDir: 'assets',
    // Inlined files would be `data:` addresses, which the content security policy does not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // What several views use comes in one file: each one more is a request that a new page waits for.
      output: { codeSplitting: { groups: [BASE, SHARED] } },
    },
    reportCompressedSize: false,
  },
  // `npm run dev -w @hone/console` beside a running Hone.
  server: { proxy: { '^/(?!console/)': process.env['HONE_URL'] ?? 'http://127.0.0.1:8080' } },
});
