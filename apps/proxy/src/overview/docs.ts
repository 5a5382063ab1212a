import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { docsPage, docsPolicy } from '@hone/platform/docs-page';

import { jsonAnswer, type OwnAnswer, unavailable } from '../answers/own-answer.js';
import type { Replicas } from '../forward/replicas.js';
import { mergeOpenApi, type OpenApiDocument } from './merge-openapi.js';

const TIMEOUT_MS = 5_000;

const PAGE = docsPage('', 'openapi.json');
const HEADERS = { 'content-security-policy': docsPolicy(PAGE) };

/** The page that shows the merged OpenAPI document, from files of this server only. */
export const docs = (): OwnAnswer => ({ status: 200, body: PAGE, type: 'text/html; charset=utf-8', headers: HEADERS });

/** A file of Swagger UI that {@link docs} loads. */
export async function docsAsset(file: 'swagger-ui.css' | 'swagger-ui-bundle.js'): Promise<OwnAnswer> {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const type = file.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
  return { status: 200, body: await readFile(join(folder, file)), type, headers: { 'cache-control': 'max-age=3600' } };
}

/** `/openapi.json` of all services as one document; 503 while one of them cannot be asked, rather than a part of it. */
export async function openApi(services: readonly Replicas[]): Promise<OwnAnswer> {
  const documents = await Promise.all(services.map(fetchDocument));
  const missing = services.find((_, index) => !documents[index]);
  if (missing) return unavailable(missing.service);
  return jsonAnswer(
    200,
    mergeOpenApi(services.map(({ service }, index) => [service, documents[index] as OpenApiDocument])),
  );
}

async function fetchDocument(replicas: Replicas): Promise<OpenApiDocument | undefined> {
  for (const { pool } of replicas.inTurn()) {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const { statusCode, body } = await pool.request({ path: '/openapi.json', method: 'GET', signal });
      if (statusCode === 200) return (await body.json()) as OpenApiDocument;
      await body.dump();
    } catch {
      // The next replica, if there is one.
    }
  }
  return undefined;
}
