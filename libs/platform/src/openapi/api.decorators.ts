/** The library that makes OpenAPI documents; the type costs nothing. */
export type Swagger = typeof import('@nestjs/swagger');
type DecoratorName = Extract<keyof Swagger, `Api${string}`>;

const pending: ((swagger: Swagger) => void)[] = [];

/**
 * A decorator of `@nestjs/swagger` that runs when the document is first asked for: loading the library takes a seventh
 * of a service's start, and most processes are never asked.
 */
function deferred<Name extends DecoratorName>(name: Name): Swagger[Name] {
  type Decorate = (...options: unknown[]) => (...target: unknown[]) => void;
  const decorate: Decorate =
    (...options) =>
    (...target) =>
      void pending.push((swagger) => (swagger[name] as Decorate)(...options)(...target));
  return decorate as Swagger[Name];
}

export const ApiBasicAuth = deferred('ApiBasicAuth');
export const ApiBearerAuth = deferred('ApiBearerAuth');
export const ApiBody = deferred('ApiBody');
export const ApiConsumes = deferred('ApiConsumes');
export const ApiExcludeController = deferred('ApiExcludeController');
export const ApiExcludeEndpoint = deferred('ApiExcludeEndpoint');
export const ApiHeader = deferred('ApiHeader');
export const ApiOperation = deferred('ApiOperation');
export const ApiParam = deferred('ApiParam');
export const ApiProduces = deferred('ApiProduces');
export const ApiResponse = deferred('ApiResponse');
export const ApiSecurity = deferred('ApiSecurity');
export const ApiTags = deferred('ApiTags');

/** Loads the library, and runs the decorators that are pending. */
export async function loadSwagger(): Promise<Swagger> {
  const swagger = await import('@nestjs/swagger');
  for (const decorate of pending.splice(0)) decorate(swagger);
  return swagger;
}
