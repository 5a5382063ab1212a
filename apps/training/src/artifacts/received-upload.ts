import { createHash } from 'node:crypto';

import { ArtifactTooLargeError, type FolderFile, type TempFolder } from '@hone/artifacts';
import { type Issue, tooManyIssue, valueIssue } from '@hone/contracts';
import { type UploadSink, ValidationError } from '@hone/platform';

import { isFileName } from './artifact-names.js';
import { filesDigest } from './files-digest.js';

const MAX_FILES = 16;

/** The parts of one upload that have arrived so far. */
export class ReceivedUpload implements UploadSink {
  private readonly received: FolderFile[] = [];
  /** Field name -> text. */
  readonly fields = new Map<string, string>();

  constructor(
    private readonly folder: TempFolder,
    private readonly maxBytes: number,
  ) {}

  /** In order of their paths. */
  get files(): readonly FolderFile[] {
    return this.received.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  get bytes(): number {
    return this.received.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Hex, over paths and hashes of the files: equal files, equal digest. */
  get digest(): string {
    return filesDigest(this.files);
  }

  /** Identifies all that was sent, whatever stood between the parts. */
  get bodyHash(): Buffer {
    const fields = [...this.fields].sort(([a], [b]) => (a < b ? -1 : 1));
    return createHash('sha256').update(this.digest).update(JSON.stringify(fields)).digest();
  }

  /**
   * @throws ValidationError its name is none, or was there before, or there are too many
   * @throws ArtifactTooLargeError, StorageUnavailableError
   */
  async addFile(name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const issue = this.issueWith(name);
    if (issue) throw new ValidationError([issue]);
    const left = this.maxBytes - this.bytes;
    try {
      this.received.push(await this.folder.put(name, content, { maxBytes: left }));
    } catch (error) {
      throw error instanceof ArtifactTooLargeError ? new ArtifactTooLargeError(this.maxBytes) : error;
    }
  }

  private issueWith(name: string): Issue | undefined {
    const loc = ['body', 'files', this.received.length];
    if (this.received.length >= MAX_FILES) return tooManyIssue(MAX_FILES, ['body', 'files']);
    if (!isFileName(name)) return valueIssue('File names should have 1 to 128 of A-Z a-z 0-9 . _ -', loc);
    const isKnown = this.received.some(({ path }) => path === name);
    return isKnown ? valueIssue('File names should differ', loc) : undefined;
  }
}
