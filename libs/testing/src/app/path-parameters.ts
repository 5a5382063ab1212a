import { exampleOf } from '@hone/contracts';
import { bodyClass, queryClass, type RouteHandler, routeHandlers } from '@hone/platform';
import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

const PARAMETER = /:(\w+)/g;
/** Has the form of every name and of every id. */
const WELL_FORMED = '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d';
/** The first and the last of both ranges of control characters, percent-encoded; U+0000 names nothing: a 404. */
const CONTROL_CHARACTERS = ['%01', '%1F', '%7F', '%C2%80', '%C2%9F'];

/**
 * Sends a control character in each path parameter of each route in turn, with a body and a query that are valid.
 *
 * @param authorization of a caller who may do everything, so that nothing but the path is refused
 * @returns what was not refused as a 422 at the parameter, `<METHOD> <path>: <status> <body>`
 */
export async function takenControlCharacters(app: NestFastifyApplication, authorization: string): Promise<string[]> {
  const taken: string[] = [];
  for (const route of routeHandlers(app)) {
    const path = pathOf(route);
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, route.handler) as RequestMethod] as 'GET';
    const type = bodyClass(route);
    const queryType = queryClass(route);
    const query = ((queryType && exampleOf(queryType)) ?? {}) as Record<string, string>;
    for (const [, parameter] of path.matchAll(PARAMETER)) {
      for (const character of CONTROL_CHARACTERS) {
        const url = path.replace(PARAMETER, (_all, name) =>
          name === parameter ? `a${character}b` : name === 'alias' ? 'production' : WELL_FORMED,
        );
        const payload = type && { payload: exampleOf(type) as object };
        const { statusCode, body } = await app.inject({ method, url, headers: { authorization }, query, ...payload });
        const isRefused = statusCode === 422 && body.includes(`"loc":["path","${parameter}"]`);
        if (!isRefused) taken.push(`${method} ${url}: ${statusCode} ${body}`);
      }
    }
  }
  return taken;
}

const pathOf = ({ controller, handler }: RouteHandler): string =>
  `/${[controller, handler].map((target) => Reflect.getMetadata(PATH_METADATA, target) as string).join('/')}`.replace(
    /\/{2,}/g,
    '/',
  );
