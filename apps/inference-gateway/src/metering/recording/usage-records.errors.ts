/** Postgres takes every other batch but not this one: something in it does not fit its columns. */
export class UsageRecordsRejectedError extends Error {
  constructor(cause: unknown) {
    super('Usage records do not fit the database.', { cause });
  }
}
