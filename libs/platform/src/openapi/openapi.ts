import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';

import type { AppOptions } from '../config/app-options.js';
import { loadSwagger } from './api.decorators.js';
import { contractSchemas } from './contract-schemas.js';
import { docsPage, docsPolicy } from './docs-page.js';
import { OpenApiParts } from './openapi-parts.js';

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** `/openapi.json` from the controllers and the DTO classes, and `/docs` that shows it. Made at the first request. */
export function serveOpenApi(app: NestFastifyApplication, options: AppOptions): void {
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  let document: Promise<OpenAPIObject> | undefined;
  fastify.get('/openapi.json', async () => (document ??= openApiDocument(app, options)));
  serveDocs(fastify, options.name, 'openapi.json');
}

/** A page at `/docs` that shows the OpenAPI document at `documentPath` (relative to the page). */
export function serveDocs(fastify: FastifyInstance, title: string, documentPath: string): void {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  fastify.get('/docs', async (_request, reply) => {
    const page = docsPage(title, documentPath);
    reply.type('text/html; charset=utf-8').header('content-security-policy', docsPolicy(page));
    return page;
  });
  for (const asset of ASSETS) {
    fastify.get(`/docs/${asset}`, async (_request, reply) => {
      reply.type(asset.endsWith('.css') ? 'text/css' : 'text/javascript').header('cache-control', 'max-age=3600');
      return readFileSync(join(folder, asset));
    });
  }
}

export async function openApiDocument(
  app: NestFastifyApplication,
  { name, description }: AppOptions,
): Promise<OpenAPIObject> {
  const { DocumentBuilder, SwaggerModule } = await loadSwagger();
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(`Hone ${name}`)
    .setDescription(description)
    .setVersion('0.1.0')
    .addBasicAuth(undefined, 'basic')
    .addBearerAuth(undefined, 'bearer')
    .build();
  const document = SwaggerModule.createDocument(app, builder);
  for (const { paths } of app.get(OpenApiParts).all) Object.assign(document.paths, paths);
  document.components = { ...document.components, schemas: contractSchemas(app) as never };
  return document;
}
