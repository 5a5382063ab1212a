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

/** The content of an archive exceeds the limit. */
export class ArchiveTooLargeError extends Error {}
