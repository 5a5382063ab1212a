/** The library that makes OpenAPI documents; the type costs nothing. */
export type Swagger = typeof import('@nestjs/swagger');
type DecoratorName = Extract<keyof Swagger, `Api${string}`>;

const waiting: ((swagger: Swagger) => void)[] = [];

/**
 * A decorator of `@nestjs/swagger` that does its work when the document is first asked for: loading the library takes a
 * seventh of a service's start, and most processes are never asked.
 */
function later<Name extends DecoratorName>(name: Name): Swagger[Name] {
  type Decorate = (...options: unknown[]) => (...place: unknown[]) => void;
  const decorate: Decorate =
    (...options) =>
    (...place) =>
      void waiting.push((swagger) => (swagger[name] as Decorate)(...options)(...place));
  return decorate as Swagger[Name];
}

export const ApiBasicAuth = later('ApiBasicAuth');
export const ApiBearerAuth = later('ApiBearerAuth');
export const ApiBody = later('ApiBody');
export const ApiConsumes = later('ApiConsumes');
export const ApiExcludeController = later('ApiExcludeController');
export const ApiHeader = later('ApiHeader');
export const ApiOperation = later('ApiOperation');
export const ApiProduces = later('ApiProduces');
export const ApiQuery = later('ApiQuery');
export const ApiResponse = later('ApiResponse');

/** Loads the library, and tells it what controllers have said of themselves so far. */
export async function loadSwagger(): Promise<Swagger> {
  const swagger = await import('@nestjs/swagger');
  for (const decorate of waiting.splice(0)) decorate(swagger);
  return swagger;
}
