import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
  plugins: [react(), compress()],
  resolve: {
    // From their sources, so that the build of none has to be there.
    alias: [
      { find: '@hone/client', replacement: join(REPOSITORY, 'libs/client/src/index.ts') },
      // Its form for browsers needs a document, which a worker has not.
      {
        find: 'decode-named-character-reference',
        replacement: join(REPOSITORY, 'node_modules/decode-named-character-reference/index.js'),
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
