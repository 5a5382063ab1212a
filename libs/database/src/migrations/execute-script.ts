import pg from 'pg';

/**
 * Executes a migration as one message, which Postgres takes for one transaction: all of it or nothing. Prisma's adapter
 * would cut the script at each semicolon, those within functions too, and execute the pieces one by one.
 */
export async function executeScript(databaseUrl: string, script: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(script);
  } finally {
    await client.end();
  }
}
