import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';

/** The part of Prisma's schema engine that we call. */
export interface SchemaEngine {
  applyMigrations(input: {
    migrationsList: MigrationsList;
    filters: SchemaFilter;
  }): Promise<{ appliedMigrationNames: string[] }>;
  diff(input: unknown): Promise<{ exitCode: number; stdout?: string }>;
  free(): void;
}

export interface MigrationsList {
  baseDir: string;
  lockfile: { path: string; content: string | null };
  migrationDirectories: { path: string; migrationFile: { path: string; content: { tag: 'ok'; value: string } } }[];
  shadowDbInitScript: string;
}

export interface SchemaFilter {
  externalTables: string[];
  externalEnums: string[];
}

interface EngineModule {
  __wbg_set_wasm(exports: unknown): void;
  SchemaEngine: { new: (options: unknown, log: (line: string) => void, factory: unknown) => Promise<SchemaEngine> };
}

/**
 * Prisma's own schema engine as WebAssembly: the command-line tool would download a binary, this comes from npm.
 * Node cannot import the `.wasm` file that the package's entry point names, so it is instantiated here.
 */
export async function openSchemaEngine(databaseUrl: string): Promise<SchemaEngine> {
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
  const glue = (await import('@prisma/schema-engine-wasm/schema_engine_bg' as string)) as EngineModule;
  const { instance } = await WebAssembly.instantiate(await readFile(join(folder, 'schema_engine_bg.wasm')), {
    './schema_engine_bg.js': glue as unknown as WebAssembly.ModuleImports,
  });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports['__wbindgen_start'] as () => void)();
  (globalThis as Record<string, unknown>)['PRISMA_WASM_PANIC_REGISTRY'] = {
    set_message: (message: string) => {
      throw new Error(`The schema engine stopped: ${message}`);
    },
  };
  const factory = bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: databaseUrl }));
  return glue.SchemaEngine.new({ datamodels: undefined }, () => undefined, factory);
}
