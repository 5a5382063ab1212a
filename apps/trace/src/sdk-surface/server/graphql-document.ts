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

import { depthRule } from './graphql-depth.js';

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

interface DocumentRequest {
  query: string;
  variables: Record<string, unknown>;
  /** Null: the document holds one operation. */
  operationName: string | null;
  /** Field of Query or Mutation -> what answers it, from its arguments. */
  resolvers: Record<string, (args: never) => unknown>;
}

/** Checks a document against the schema and answers it. What is wrong with it becomes one of the answer's `errors`. */
export async function executeDocument(request: DocumentRequest): Promise<ExecutionResult> {
  try {
    const document = parse(request.query, { maxTokens: MAX_TOKENS, noLocation: true });
    const errors = validate(SCHEMA, document, RULES, { maxErrors: 20 });
    if (errors.length) return { errors };
    return await execute({
      schema: SCHEMA,
      document,
      rootValue: request.resolvers,
      variableValues: request.variables,
      operationName: request.operationName,
    });
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] };
    throw error;
  }
}
