import { tooManyIssue } from '@hone/contracts';
import { BodyTooLargeError, type UploadForm, type UploadSink, ValidationError } from '@hone/platform';

/** What the form of an upload has beside its file. */
export const FILE_FORM: UploadForm = { rawTypes: [], rawName: '', fields: ['project_id', 'expected_digest'] };

/** The parts of one upload that have arrived so far: one file, kept in memory up to the limit of all bodies. */
export class ReceivedFile implements UploadSink {
  readonly files: Buffer[] = [];
  readonly fields = new Map<string, string>();

  constructor(private readonly maxBytes: number) {}

  /** @throws ValidationError it is the second. @throws BodyTooLargeError */
  async addFile(_name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    if (this.files.length > 0) throw new ValidationError([tooManyIssue(1, ['body', 'files'])]);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.length;
      if (bytes > this.maxBytes) throw new BodyTooLargeError(this.maxBytes);
      chunks.push(chunk);
    }
    this.files.push(Buffer.concat(chunks));
  }
}
