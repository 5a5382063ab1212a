import { createRequire } from 'node:module';

type Xgrammar = typeof import('@mlc-ai/web-xgrammar');

/**
 * Loads xgrammar. Its package says "module", but its file is a script that wants `require` and, finding no
 * `exports`, leaves its names in a global. So it is loaded in a thread of its own, whose globals are private.
 */
export async function loadXgrammar(): Promise<Xgrammar> {
  const require = createRequire(import.meta.url);
  const path = require.resolve('@mlc-ai/web-xgrammar');
  Object.assign(globalThis, { require: createRequire(path), __filename: path });
  await import('@mlc-ai/web-xgrammar');
  return (globalThis as unknown as { xgrammar: Xgrammar }).xgrammar;
}
