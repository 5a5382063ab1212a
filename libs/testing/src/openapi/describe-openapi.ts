import fc from 'fast-check';

import type { TestClient, TestResponse } from '../app/test-app.js';
import { fuzzOf } from '../rounds.js';
import { perhapsDamaged } from './damaged.js';
import { JsonSchemaArbitrary } from './json-schema-arbitrary.js';
import { type BodyOperation, OpenApiDocument } from './openapi-document.js';

/** Bodies for each operation; more on demand. */
/** Bodies of each operation; fewer would not be both kinds, those that meet a schema and those that do not. */
const FUZZ = fuzzOf(30, 8);
const TEN_MINUTES = 600_000;
/** What a valid body may meet beside success: it names what is not there, or contradicts what is. */
const ACCEPTED = [200, 403, 404, 409];

/** How a service is asked. */
export interface DocumentedService {
  client: TestClient;
  /** Path parameter -> value, for operations whose path has some. */
  parameters?: Readonly<Record<string, string>>;
}

/** What is known of an operation beside its document. */
export interface OperationFacts {
  /** Part of the runs that the operation gets: less where an answer takes long. Default: 1. */
  share?: number;
  /** Makes a drawn body meet the rules that JSON Schema cannot state. */
  adjust?: (body: Record<string, unknown>) => void;
  /** Statuses that a valid body may meet beside 200, 403, 404 and 409. */
  alsoAccepted?: readonly number[];
  /** Whether an answer of 422 is documented though the schema accepts the body. */
  isDocumentedRefusal?: (response: TestResponse) => boolean;
}

/**
 * Declares the tests that hold a service to its OpenAPI document: every documented example is accepted, and a body is
 * accepted exactly when its schema is met.
 *
 * @param start once; stopped by the spec itself
 * @param operationIds all operations with a body, in the order in which their examples are sent
 */
export function describeOpenApi(
  start: () => Promise<DocumentedService>,
  operations: Readonly<Record<string, OperationFacts>>,
): void {
  let service: DocumentedService;
  let document: OpenApiDocument;
  const find = (operationId: string) =>
    document.bodyOperations.find((one) => one.operationId === operationId) as BodyOperation;
  beforeAll(async () => {
    service = await start();
    document = await OpenApiDocument.of(service.client);
  });

  it('documents the operations with a body that are listed here', () => {
    expect(document.bodyOperations.map(({ operationId }) => operationId).sort()).toEqual(
      Object.keys(operations).sort(),
    );
  });

  if (Object.keys(operations).length === 0) return; // Jest refuses a table without rows

  it.each(Object.keys(operations))('accepts the documented example of %s', async (operationId) => {
    const operation = find(operationId);
    const example = document.exampleOf(operation);
    expect(example).toBeDefined();
    expect(document.validatorOf(operation)(example)).toBe(true);
    const { status, text } = await send(service.client, operation, example, service.parameters ?? {});
    expect([status, text]).toEqual([200, expect.any(String)]);
  });

  it.each(Object.entries(operations))(
    'accepts exactly the bodies of %s that meet its schema',
    async (operationId, facts) => {
      const operation = find(operationId);
      const validate = document.validatorOf(operation);
      const bodies = perhapsDamaged(new JsonSchemaArbitrary(document.components).of(operation.body));
      const seen = { valid: 0, invalid: 0 };
      const property = fc.asyncProperty(bodies, async (drawn) => {
        const body = structuredClone(drawn);
        if (facts.adjust && typeof body === 'object' && body !== null) facts.adjust(body as Record<string, unknown>);
        const isValid = validate(body);
        seen[isValid ? 'valid' : 'invalid']++;
        const response = await send(service.client, operation, body, service.parameters ?? {});
        const isRefused = response.status === 422;
        // JSON Schema does not speak of unpaired surrogates: free JSON keeps them, typed texts refuse them.
        const isRight = isValid ? isAccepted(response, facts) || (isRefused && hasSurrogate(body)) : isRefused;
        const errors = isValid ? [] : validate.errors;
        expect({ isRight, body, status: response.status, text: response.text.slice(0, 500), errors }).toMatchObject({
          isRight: true,
        });
        assertDocumented(operation, response);
      });
      const numRuns = Math.ceil(FUZZ.numRuns * (facts.share ?? 1));
      await fc.assert(property, { ...FUZZ, numRuns });
      expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(numRuns / 20);
    },
    TEN_MINUTES,
  );
}

const isAccepted = (response: TestResponse, { alsoAccepted = [], isDocumentedRefusal }: OperationFacts): boolean =>
  [...ACCEPTED, ...alsoAccepted].includes(response.status) ||
  (response.status === 422 && isDocumentedRefusal?.(response) === true);

/** JSON text escapes unpaired surrogates alone. */
const hasSurrogate = (body: unknown): boolean => /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(body) ?? '');

/** The document has the status of the answer, and the code of its error. */
function assertDocumented({ statuses }: BodyOperation, { status, json }: TestResponse): void {
  const codes = statuses.get(status);
  expect([status, codes]).toEqual([status, expect.any(Array)]);
  if (status !== 200 && codes?.length) expect(codes).toContain(json().code);
}

async function send(
  client: TestClient,
  { method, path }: BodyOperation,
  body: unknown,
  parameters: Readonly<Record<string, string>>,
): Promise<TestResponse> {
  const url = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(parameters[name] ?? 'none'));
  return client[method](url, JSON.stringify(body));
}
