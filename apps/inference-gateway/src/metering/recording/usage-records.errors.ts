/** Postgres rejects the batch for its data: a value does not fit its column. A retry cannot succeed. */
export class UsageRecordsRejectedError extends Error {
  constructor(
    readonly sqlState: string,
    cause: unknown,
  ) {
    super('Usage records do not fit the database.', { cause });
  }
}
