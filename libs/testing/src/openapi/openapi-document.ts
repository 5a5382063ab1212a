import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import type { TestClient } from '../app/test-app.js';
import type { Schema } from './json-schema-arbitrary.js';

type Method = 'post' | 'put' | 'delete';

/** An operation of a document that takes a JSON body. */
export interface BodyOperation {
  operationId: string;
  method: Method;
  /** With `{parameters}`. */
  path: string;
  body: Schema;
  /** Status -> documented codes; empty: any. */
  statuses: ReadonlyMap<number, readonly string[]>;
}

interface DocumentedResponse {
  content?: { 'application/json'?: { schema: { properties?: { code?: { enum?: string[] } } } } };
}
interface DocumentedOperation {
  operationId: string;
  requestBody?: { content: { 'application/json'?: { schema: Schema } } };
  responses: Record<string, DocumentedResponse>;
}

/** An OpenAPI document as a service answers it. */
export class OpenApiDocument {
  private readonly ajv = new Ajv2020({ strict: false, validateFormats: false, unicodeRegExp: true });

  private constructor(
    readonly components: Readonly<Record<string, Schema>>,
    private readonly paths: Readonly<Record<string, Partial<Record<Method, DocumentedOperation>>>>,
  ) {}

  static async of(client: TestClient): Promise<OpenApiDocument> {
    const { components, paths } = (await client.get('/openapi.json')).json();
    return new OpenApiDocument(components.schemas, paths);
  }

  /** All operations that take a JSON body. */
  get bodyOperations(): BodyOperation[] {
    return Object.entries(this.paths).flatMap(([path, item]) =>
      (['post', 'put', 'delete'] as const).flatMap((method) => {
        const operation = item[method];
        const body = operation?.requestBody?.content['application/json']?.schema;
        if (!operation || !body) return [];
        const { operationId, responses } = operation;
        return [{ operationId, method, path, body, statuses: statusesOf(responses) }];
      }),
    );
  }

  /** The documented example of a body. */
  exampleOf({ body }: BodyOperation): unknown {
    const name = String(body['$ref']).split('/').at(-1) as string;
    return (this.components[name]?.['examples'] as unknown[] | undefined)?.[0];
  }

  validatorOf({ body }: BodyOperation): ValidateFunction {
    return this.ajv.compile({ ...body, components: { schemas: this.components } });
  }
}

const statusesOf = (responses: Record<string, DocumentedResponse>): Map<number, readonly string[]> =>
  new Map(
    Object.entries(responses).map(([status, { content }]) => [
      Number(status),
      content?.['application/json']?.schema.properties?.code?.enum ?? [],
    ]),
  );
