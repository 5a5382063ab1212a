import { registerSources } from './sources.mjs';

/** Starts the Postgres of the run, unless the caller runs one for several runs of Jest and names it. */
export default async function setUp() {
  if (process.env.HONE_TEST_POSTGRES_URL) return;
  registerSources();
  const { startTestPostgres } = await import('./test-postgres.ts');
  globalThis.__honeTearDown = await startTestPostgres();
}
