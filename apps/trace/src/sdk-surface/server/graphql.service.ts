import { Injectable } from '@nestjs/common';
import { type Principal, ProjectAccess } from '@hone/auth';
import { parseProjectId, toPlainJson, type JsonValue } from '@hone/contracts';
import {
  buildSchema,
  execute,
  type ExecutionResult,
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';

import { toInternalId } from '../names.js';
import { depthRule } from './graphql-depth.js';
import type { GraphqlDto } from './server.dto.js';

const MAX_DEPTH = 10;
/** A document of so many fields is checked in a few milliseconds; some rules compare each field with each other. */
const MAX_TOKENS = 2_000;

const SCHEMA = buildSchema(`
  type Query {
    viewer: User
    entity(name: String!): Entity
    "Null: there is none, and the caller could not make it."
    project(name: String!, entityName: String): Project
    model(name: String!, entityName: String): Project
    serverInfo: ServerInfo
  }
  type Mutation { upsertModel(input: UpsertModelInput!): UpsertModelPayload }
  type User { id: ID! username: String! defaultEntity: Entity }
  type Entity { id: ID! name: String! readOnly: Boolean! }
  type Project { id: ID! name: String! entityName: String! description: String }
  type ServerInfo { frontendHost: String! features: [String!]! }
  input UpsertModelInput { id: String name: String! entityName: String description: String repo: String }
  type UpsertModelPayload { model: Project project: Project inserted: Boolean! }
`);
/** Introspection could nest without end, and no client needs it. */
const RULES = [depthRule(MAX_DEPTH), NoSchemaIntrospectionCustomRule, ...specifiedRules];

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
    try {
      const document = parse(query, { maxTokens: MAX_TOKENS, noLocation: true });
      const errors = validate(SCHEMA, document, RULES, { maxErrors: 20 });
      if (errors.length) return { errors };
      return await execute({
        schema: SCHEMA,
        document,
        rootValue: this.#resolvers(caller),
        variableValues: toPlainJson((variables ?? {}) as JsonValue) as Record<string, unknown>,
        operationName: operationName ?? null,
      });
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error] };
      throw error;
    }
  }

  #resolvers(caller: Principal) {
    const find = (project: ProjectName) => this.#find(caller, project);
    return {
      viewer: () => ({
        id: caller.userId,
        username: caller.username,
        defaultEntity: this.#entity(caller, caller.defaultEntity),
      }),
      entity: ({ name }: { name: string }) => this.#entity(caller, name),
      project: find,
      model: find,
      serverInfo: () => ({ frontendHost: '', features: [] }),
      upsertModel: ({ input }: { input: ProjectName }) => this.#make(caller, input),
    };
  }

  #entity(caller: Principal, name: string) {
    const role = this.access.roleOn(caller, name);
    if (role === undefined) return null;
    return { id: name, name, readOnly: role === 'reader' || role === 'annotator' };
  }

  async #find(caller: Principal, { name, entityName }: ProjectName) {
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

  /** @throws GraphQLError no name of a project; AccessDeniedError */
  async #make(caller: Principal, { name, entityName }: ProjectName) {
    const projectId = toProjectId(caller, name, entityName);
    if (!parseProjectId(projectId)) throw new GraphQLError('The name is no name of a project.');
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
