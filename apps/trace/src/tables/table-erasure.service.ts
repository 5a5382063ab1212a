import { AuditLog, type Principal, ProjectAccess } from '@hone/auth';
import type { TableEraseDto, TableEraseResultDto, TableRowsEraseDto } from '@hone/contracts';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

import { TableInUseError, TableNotFoundError } from './table.errors.js';
import { TableErasureRepository } from './table-erasure.repository.js';

/** Erases tables and rows. Chunks and files that only they named go within an hour. */
@Injectable()
export class TableErasureService {
  constructor(
    private readonly tables: TableErasureRepository,
    private readonly access: ProjectAccess,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /**
   * Erases a table, and its rows that are in no other table of the project.
   *
   * @throws AccessDeniedError, ProjectNotFoundError, TableNotFoundError
   * @throws TableInUseError a live version of an object names it
   */
  async erase(caller: Principal, { project_id, digest }: TableEraseDto): Promise<TableEraseResultDto> {
    const projectRowId = await this.access.getReadable(caller, 'trace', project_id, 'writer');
    return this.database.transaction(async () => {
      await this.tables.lockTables(projectRowId);
      const user = await this.tables.findUser(projectRowId, digest);
      if (user !== null) throw new TableInUseError(digest, user);
      const rows = await this.tables.eraseTable(projectRowId, digest);
      if (rows === null) throw new TableNotFoundError(digest, project_id);
      await this.audit.addOf(caller, project_id, 'tables.erase', { rows }, digest);
      return { num_erased_rows: rows };
    });
  }

  /**
   * Erases the values of rows in every table that has them: they read as `{}` until an equal row is stored again.
   *
   * @throws AccessDeniedError, ProjectNotFoundError
   */
  async eraseRows(caller: Principal, { project_id, row_digests }: TableRowsEraseDto): Promise<TableEraseResultDto> {
    const projectRowId = await this.access.getReadable(caller, 'trace', project_id, 'writer');
    return this.database.transaction(async () => {
      const count = await this.tables.eraseRows(projectRowId, row_digests);
      if (count > 0) await this.audit.addOf(caller, project_id, 'table_rows.erase', { count });
      return { num_erased_rows: count };
    });
  }
}
