import { migrate } from '../migrations/migrate.js';

/** `npm run db:migrate`, and the one-shot container: brings the database of `DATABASE_URL` up to date. */
const url = process.env['DATABASE_URL'];
if (!url) {
  console.error('DATABASE_URL is not set: expected postgres://user:password@host:port/database.');
  process.exit(1);
}
const applied = await migrate(url);
console.log(applied.length ? `Applied ${applied.join(', ')}.` : 'The database is up to date.');
