import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';

/** Node has it, its types do not. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, unknown>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

/** The part of Prisma's schema engine that we call. */
export interface SchemaEngine {
  diff(input: unknown): Promise<{ stdout?: string }>;
  free(): void;
}

interface EngineModule {
  __wbg_set_wasm(exports: unknown): void;
  SchemaEngine: { new: (options: unknown, log: (line: string) => void, factory: unknown) => Promise<SchemaEngine> };
}

/**
 * Prisma's own schema engine as WebAssembly, for `npm run db:diff` alone: the command-line tool would download a binary,
 * this comes from npm. Node cannot import the `.wasm` file that the package's entry point names, so it is instantiated here.
 */
export async function openSchemaEngine(
  databaseUrl: string,
): Promise<{ engine: SchemaEngine; close: () => Promise<void> }> {
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
  const glue = (await import('@prisma/schema-engine-wasm/schema_engine_bg' as string)) as EngineModule;
  const { instance } = await WebAssembly.instantiate(await readFile(join(folder, 'schema_engine_bg.wasm')), {
    './schema_engine_bg.js': glue,
  });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
  (globalThis as Record<string, unknown>)['PRISMA_WASM_PANIC_REGISTRY'] = {
    set_message: (message: string) => {
      throw new Error(`The schema engine stopped: ${message}`);
    },
  };
  // The engine leaves a timer of 10 s behind, which must not keep the process alive.
  const setReferencedTimeout = globalThis.setTimeout;
  globalThis.setTimeout = ((...args: Parameters<typeof setTimeout>) =>
    setReferencedTimeout(...args).unref()) as typeof setTimeout;
  const adapters = new PrismaPg({ connectionString: databaseUrl });
  const connections: { dispose(): Promise<void> }[] = [];
  const connect = adapters.connect.bind(adapters);
  adapters.connect = async () => {
    const connection = await connect();
    connections.push(connection);
    return connection;
  };
  const engine = await glue.SchemaEngine.new(
    { datamodels: undefined },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(adapters),
  );
  const close = async () => {
    globalThis.setTimeout = setReferencedTimeout;
    engine.free();
    await Promise.all(connections.map((connection) => connection.dispose())); // the engine leaves them open
  };
  return { engine, close };
}
