import { type StoredValue, ValueRepository } from '@hone/calls';
import { Database } from '@hone/database';
import { Injectable } from '@nestjs/common';

/** The call that a response became: exact JSON texts. */
export interface StoredCall {
  readonly attributes: string | null;
  readonly inputs: string | null;
  readonly output: string | null;
}

interface Row {
  attributes_text: string | null;
  attributes_blob: string | null;
  inputs_text: string | null;
  inputs_blob: string | null;
  output_text: string | null;
  output_blob: string | null;
}

/** Calls of the gateway, by the id of their request. */
@Injectable()
export class StoredResponsesRepository {
  constructor(
    private readonly database: Database,
    private readonly values: ValueRepository,
  ) {}

  /** Null: there is none that ended well, or it was deleted. */
  async find(projectRowId: string, id: string): Promise<StoredCall | null> {
    const [row] = await this.database.client.$queryRaw<Row[]>`
      SELECT v.attributes_text, v.attributes_blob, v.inputs_text, v.inputs_blob, v.output_text, v.output_blob
      FROM calls c JOIN call_values v USING (project_id, id)
      WHERE c.project_id = ${projectRowId}::uuid AND c.id = ${id} AND c.deleted_at IS NULL AND c.exception IS NULL`;
    if (!row) return null;
    const textOf = (value: StoredValue) => this.values.get(projectRowId, value);
    return {
      attributes: await textOf({ text: row.attributes_text, blob: row.attributes_blob }),
      inputs: await textOf({ text: row.inputs_text, blob: row.inputs_blob }),
      output: await textOf({ text: row.output_text, blob: row.output_blob }),
    };
  }

  /** The trace service erases its content soon. @returns false: there is none */
  async delete(projectRowId: string, id: string): Promise<boolean> {
    const deleted = await this.database.client.$executeRaw`
      UPDATE calls SET deleted_at = now()
      WHERE project_id = ${projectRowId}::uuid AND id = ${id} AND deleted_at IS NULL`;
    return deleted > 0;
  }
}
