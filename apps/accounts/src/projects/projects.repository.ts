import { Database, newId } from '@hone/database';
import { Injectable } from '@nestjs/common';

export interface ProjectRecord {
  /** `<entity>/<project>`. */
  projectId: string;
  createdAt: Date;
}

const WITH_ENTITY = { entity: { select: { name: true } } };

@Injectable()
export class ProjectsRepository {
  constructor(private readonly database: Database) {}

  /** Null: the entity has a project of this name. Does not break the transaction it runs in. */
  async insert(draft: { entityId: string; name: string; createdBy: string }): Promise<ProjectRecord | null> {
    const id = newId();
    const { client } = this.database;
    const { count } = await client.project.createMany({ data: { id, ...draft }, skipDuplicates: true });
    return count === 1
      ? toProject(await client.project.findUniqueOrThrow({ where: { id }, include: WITH_ENTITY }))
      : null;
  }

  /** By entity and name. @param memberId only projects of entities that this user is a member of; undefined: all */
  async list(memberId: string | undefined): Promise<ProjectRecord[]> {
    const rows = await this.database.client.project.findMany({
      ...(memberId && { where: { entity: { memberships: { some: { userId: memberId } } } } }),
      include: WITH_ENTITY,
      orderBy: [{ entity: { name: 'asc' } }, { name: 'asc' }],
    });
    return rows.map(toProject);
  }
}

const toProject = (row: { name: string; createdAt: Date; entity: { name: string } }): ProjectRecord => ({
  projectId: `${row.entity.name}/${row.name}`,
  createdAt: row.createdAt,
});
