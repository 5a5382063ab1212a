import type { OwnAnswer } from '../answers/own-answer.js';
import type { Replicas } from '../forward/replicas.js';
import { docs, docsAsset, openApi } from './docs.js';
import { readiness } from './readiness.js';

type Page = (services: readonly Replicas[]) => Promise<OwnAnswer> | OwnAnswer;

const PAGE: Record<string, Page> = {
  '/readyz': readiness,
  '/openapi.json': openApi,
  '/docs': docs,
  '/docs/swagger-ui.css': () => docsAsset('swagger-ui.css'),
  '/docs/swagger-ui-bundle.js': () => docsAsset('swagger-ui-bundle.js'),
};

/** Paths that the proxy answers itself: what concerns all services at once. */
export const PAGES = Object.keys(PAGE);

export const findPage = (path: string): Page | undefined => (Object.hasOwn(PAGE, path) ? PAGE[path] : undefined);
