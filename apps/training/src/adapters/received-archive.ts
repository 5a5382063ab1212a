import { join } from 'node:path';

import { ArtifactTooLargeError, type FolderFile, type TempFolder } from '@hone/artifacts';
import { tooManyIssue } from '@hone/contracts';
import { BodyTooLargeError, type UploadForm, type UploadSink, ValidationError } from '@hone/platform';

const NAME = 'archive.tar.gz';

/** What the body of an import may be. */
export const IMPORT_FORM: UploadForm = {
  rawTypes: [
    'application/gzip',
    'application/x-gzip',
    'application/x-tar',
    'application/x-tar+gzip',
    'application/x-gtar-compressed',
    'application/octet-stream',
  ],
  rawName: NAME,
  fields: [],
};

/** The one file of an import, as it arrives. */
export class ReceivedArchive implements UploadSink {
  readonly files: FolderFile[] = [];
  readonly fields = new Map<string, string>();

  constructor(
    private readonly folder: TempFolder,
    private readonly maxBytes: number,
  ) {}

  /** @throws ValidationError there is a file already. @throws BodyTooLargeError, StorageUnavailableError */
  async addFile(_name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    if (this.files.length > 0) throw new ValidationError([tooManyIssue(1, ['body', 'files'])]);
    try {
      this.files.push(await this.folder.put(NAME, content, { maxBytes: this.maxBytes }));
    } catch (error) {
      throw error instanceof ArtifactTooLargeError ? new BodyTooLargeError(this.maxBytes) : error;
    }
  }

  /** SHA-256 of the file. */
  get hash(): Buffer {
    return Buffer.from(this.files[0]?.sha256 ?? '', 'hex');
  }

  get path(): string {
    return join(this.folder.path, NAME);
  }
}
