import { type Principal, ProjectAccess } from '@hone/auth';
import { type JsonValue, parseProjectId, toPlainJson } from '@hone/contracts';
import { Injectable } from '@nestjs/common';
import type { ExecutionResult } from 'graphql';

import { toInternalId } from '../names.js';
import type { GraphqlDto } from './server.dto.js';

interface ProjectName {
  name: string;
  entityName?: string | null;
}

/** The little that the SDKs ask of a server of accounts: who is calling, and whether there is a project. */
@Injectable()
export class GraphqlService {
  constructor(private readonly access: ProjectAccess) {}

  /** Whatever is wrong with the document becomes an error among the answer's `errors`. */
  async execute(caller: Principal, { query, variables, operationName }: GraphqlDto): Promise<ExecutionResult> {
    // GraphQL is read with the first document: most installations never see one, and each would start later.
    const { executeDocument } = await import('./graphql-document.js');
    return executeDocument({
      query,
      variables: toPlainJson((variables ?? {}) as JsonValue) as Record<string, unknown>,
      operationName: operationName ?? null,
      resolvers: this.resolvers(caller),
    });
  }

  private resolvers(caller: Principal) {
    const find = (project: ProjectName) => this.find(caller, project);
    return {
      viewer: () => ({
        id: caller.userId,
        username: caller.username,
        defaultEntity: this.entity(caller, caller.defaultEntity),
      }),
      entity: ({ name }: { name: string }) => this.entity(caller, name),
      project: find,
      model: find,
      serverInfo: () => ({ frontendHost: '', features: [] }),
      upsertModel: ({ input }: { input: ProjectName }) => this.make(caller, input),
    };
  }

  private entity(caller: Principal, name: string) {
    const role = this.access.roleOn(caller, name);
    if (role === undefined) return null;
    return { id: name, name, readOnly: role === 'reader' || role === 'annotator' };
  }

  private async find(caller: Principal, { name, entityName }: ProjectName) {
    const projectId = toProjectId(caller, name, entityName);
    if (!parseProjectId(projectId)) return null;
    try {
      const isThere = (await this.access.findReadable(caller, 'trace', projectId)) !== null;
      if (!isThere) this.access.assertRole(caller, 'trace', projectId, 'writer');
    } catch {
      return null;
    }
    return toProject(projectId);
  }

  /** @throws Error no name of a project; AccessDeniedError */
  private async make(caller: Principal, { name, entityName }: ProjectName) {
    const projectId = toProjectId(caller, name, entityName);
    if (!parseProjectId(projectId)) throw new Error('The name is no name of a project.');
    const grant = await this.access.grantWrite(caller, 'trace', projectId, 'writer');
    await this.access.rowIdFor(caller, grant);
    const project = toProject(projectId);
    return { model: project, project, inserted: grant.rowId === null };
  }
}

const toProjectId = ({ defaultEntity }: Principal, name: string, entity: string | null | undefined): string =>
  `${entity || defaultEntity}/${name}`;

function toProject(projectId: string) {
  const { entity, project } = parseProjectId(projectId) as { entity: string; project: string };
  return { id: toInternalId(projectId), name: project, entityName: entity, description: null };
}
