/** An archive is no adapter. The sentence is for the client, and bounded. */
export class ArchiveError extends Error {
  constructor(
    message: string,
    /** Name of the file inside the archive; null: the archive itself. */
    readonly file: string | null = null,
  ) {
    super(message);
  }
}

/** What is in an archive is larger than it may be. */
export class ArchiveTooLargeError extends Error {}
