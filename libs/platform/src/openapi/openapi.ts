import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';

import type { AppOptions } from '../config/app-options.js';
import { type DeclaredFeature, FEATURE } from './answers.decorator.js';
import { loadSwagger } from './api.decorators.js';
import { contractSchemas } from './contract-schemas.js';
import { docsPage, docsPolicy } from './docs-page.js';
import { describeOperation, type Operation } from './operations.js';
import { withPortablePatterns } from './portable-patterns.js';
import { answerOf, type RouteHandler, routeHandlers } from './route-handlers.js';

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js'];
const METHODS = ['get', 'put', 'post', 'delete'] as const;

/** What can happen to any request, whatever it asks for. */
const EVERYWHERE =
  'Every answer carries `X-Request-Id`. A path that does not exist is a 404 (`route.not_found`), another method a 405 ' +
  '(`route.method`), what is no HTTP a 400 (`request.malformed`), and headers of more than 16 KiB a 431 ' +
  '(`limit.headers_too_large`). Names, ids and lengths count Unicode code points.';

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
    .setDescription(`${description} ${EVERYWHERE}`)
    .setVersion('0.1.0')
    .addServer('/', 'This server.')
    .addBasicAuth({ type: 'http', scheme: 'basic', description: 'Username `api`, password: an API key.' }, 'basic')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'API key', description: 'An API key.' }, 'bearer')
    .build();
  const document = SwaggerModule.createDocument(app, builder);
  delete document.info.contact; // who runs a server, the server does not know
  document.info.license = { name: 'Apache-2.0', identifier: 'Apache-2.0' } as never;
  document.paths = withNamedWildcards(document.paths);
  describeOperations(document, routeHandlers(app));
  document.tags = featuresOf(app);
  document.components = { ...document.components, schemas: contractSchemas(app) as never };
  return withPortablePatterns(document);
}

/** The library names every wildcard `path`; the parameter that its handler documents has a name of its own. */
function withNamedWildcards(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  const named = Object.entries(paths).map(([path, item]) => {
    const parameters = (item.get?.parameters ?? []) as { name: string; in: string }[];
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    const [only] = inPath.length === 1 ? inPath : [];
    return [only ? path.replace(/\{path\}$/, `{${only.name}}`) : path, item] as const;
  });
  return Object.fromEntries(named);
}

function describeOperations(document: OpenAPIObject, routes: readonly RouteHandler[]): void {
  const byId = new Map(routes.map((route) => [answerOf(route)?.operationId, route]));
  for (const item of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method] as Operation | undefined;
      const route = operation && byId.get(operation.operationId);
      if (operation && route) describeOperation(operation, route);
    }
  }
}

/** The features of the controllers, each once, in the order of their names. */
function featuresOf(app: NestFastifyApplication): DeclaredFeature[] {
  const declared = routeHandlers(app).map(
    ({ controller }) => Reflect.getMetadata(FEATURE, controller) as DeclaredFeature | undefined,
  );
  const byName = new Map(declared.flatMap((feature) => (feature ? [[feature.name, feature]] : [])));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
