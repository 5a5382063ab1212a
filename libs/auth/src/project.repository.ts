import { Database, newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

@Injectable()
export class ProjectRepository {
  constructor(private readonly database: Database) {}

  /** The project's row id, or null. */
  async find(entity: string, project: string): Promise<string | null> {
    const row = await this.database.client.project.findFirst({
      where: { name: project, entity: { name: entity } },
      select: { id: true },
    });
    return row?.id ?? null;
  }

  /** The project's row id; makes the project, and the entity, when they are missing. */
  async create(entity: string, project: string, createdBy: string): Promise<string> {
    const { client } = this.database;
    await client.$executeRaw`
      INSERT INTO entities (id, name, kind) VALUES (${newId()}::uuid, ${entity}, 'team') ON CONFLICT (name) DO NOTHING`;
    await client.$executeRaw`
      INSERT INTO projects (id, entity_id, name, created_by)
      SELECT ${newId()}::uuid, id, ${project}, ${createdBy}::uuid FROM entities WHERE name = ${entity}
      ON CONFLICT (entity_id, name) DO NOTHING`;
    return (await this.find(entity, project)) as string;
  }
}
