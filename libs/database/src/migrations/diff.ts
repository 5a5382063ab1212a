import { openSchemaEngine } from './schema-engine.js';

/** The SQL that turns a database of schema `from` (empty text: an empty database) into one of schema `to`. */
export async function diffSchemas(databaseUrl: string, from: string, to: string): Promise<string> {
  const { engine, close } = await openSchemaEngine(databaseUrl);
  const datamodel = (content: string) =>
    content === ''
      ? { tag: 'empty' }
      : { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content }], configDir: '.' };
  const { stdout } = await engine.diff({
    from: datamodel(from),
    to: datamodel(to),
    script: true,
    exitCode: null,
    shadowDatabaseUrl: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  await close();
  return stdout ?? '';
}
