import { registerSources } from './sources.mjs';

export default async function setUp() {
  registerSources();
  const { startTestPostgres } = await import('./test-postgres.ts');
  await startTestPostgres();
}
