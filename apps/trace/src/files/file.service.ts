import { Readable } from 'node:stream';

import { AuditLog, type Principal, ProjectAccess } from '@hone/auth';
import { ErasedDigestsRepository, FileRepository, ValueRepository } from '@hone/calls';
import {
  bytesDigest,
  type FileEraseDto,
  type FileEraseResultDto,
  issue,
  parseProjectId,
  patternIssue,
} from '@hone/contracts';
import { Database } from '@hone/database';
import { receiveBody, SERVICE_CONFIG, type ServiceConfig, type StreamedBody, ValidationError } from '@hone/platform';
import { Inject, Injectable } from '@nestjs/common';

import { DigestMismatchError } from '../objects/object.errors.js';
import { FileNotFoundError } from './file.errors.js';
import { FILE_FORM, ReceivedFile } from './received-file.js';

/** A file on its way to the client. */
export interface FileContent {
  bytes: number;
  content: Readable;
}

/** Files by the digest of their bytes: images, source code, whatever values name. */
@Injectable()
export class FileService {
  constructor(
    private readonly files: FileRepository,
    private readonly values: ValueRepository,
    private readonly digests: ErasedDigestsRepository,
    private readonly access: ProjectAccess,
    private readonly audit: AuditLog,
    private readonly database: Database,
    @Inject(SERVICE_CONFIG) private readonly config: ServiceConfig,
  ) {}

  /**
   * Stores the file of a form; one that is there already is the same file.
   *
   * @throws ValidationError the form has no file or more than one, or no project
   * @throws BodyTooLargeError, EncodingUnsupportedError, AccessDeniedError, DigestMismatchError
   */
  async create(author: Principal, body: StreamedBody): Promise<string> {
    const received = new ReceivedFile(this.config.bodyLimitBytes);
    await receiveBody(body, FILE_FORM, received);
    const projectId = projectOf(received.fields);
    const grant = await this.access.grantWrite(author, 'trace', projectId, 'writer');
    const bytes = received.files[0] as Buffer;
    const digest = bytesDigest(bytes);
    const expected = received.fields.get('expected_digest') || digest;
    if (expected !== digest) throw new DigestMismatchError(expected, digest);
    await this.database.transaction(async () => this.files.put(await this.access.rowIdFor(author, grant), bytes));
    return digest;
  }

  /** The bytes of a file, read from the database as the client takes them. @throws AccessDeniedError, FileNotFoundError */
  async open(caller: Principal, projectId: string, digest: string): Promise<FileContent> {
    const projectRowId = await this.access.getReadable(caller, 'trace', projectId);
    const bytes = await this.files.findSize(projectRowId, digest);
    if (bytes === null) throw new FileNotFoundError(digest, projectId);
    return { bytes, content: Readable.from(this.values.chunksOf(projectRowId, digest), { objectMode: false }) };
  }

  /** Erases files, whoever names them. @throws AccessDeniedError, ProjectNotFoundError */
  async erase(caller: Principal, { project_id, digests }: FileEraseDto): Promise<FileEraseResultDto> {
    const projectRowId = await this.access.getReadable(caller, 'trace', project_id, 'writer');
    return this.database.transaction(async () => {
      const erased = await this.files.erase(projectRowId, digests);
      await this.digests.mark(projectRowId, erased);
      if (erased.length > 0) await this.audit.addOf(caller, project_id, 'files.erase', { count: erased.length });
      return { num_erased: erased.length };
    });
  }

  /** Bytes of all files of a project; 0 when there is no such project. @throws AccessDeniedError */
  async totalBytes(caller: Principal, projectId: string): Promise<number> {
    const projectRowId = await this.access.findReadable(caller, 'trace', projectId);
    return projectRowId === null ? 0 : this.files.totalBytes(projectRowId);
  }
}

function projectOf(fields: ReadonlyMap<string, string>): string {
  const projectId = fields.get('project_id');
  const loc = ['body', 'project_id'];
  if (projectId === undefined) throw new ValidationError([issue('missing', loc)]);
  if (!parseProjectId(projectId)) throw new ValidationError([patternIssue('<entity>/<project>', loc)]);
  return projectId;
}
