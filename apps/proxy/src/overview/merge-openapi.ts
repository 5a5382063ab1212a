import { findService, type ServiceName } from '../routes/routes.js';

/** The parts of an OpenAPI 3.1 document that are merged. */
export interface OpenApiDocument {
  info?: Record<string, unknown>;
  servers?: unknown[];
  tags?: { name: string }[];
  paths: Record<string, unknown>;
  components?: Record<string, Record<string, unknown>>;
}

/**
 * One document for all services, which share one address. Paths that the proxy does not send to their service are left
 * out; of two different schemas of one name the later one gets the name of its service as a prefix.
 */
export function mergeOpenApi(documents: readonly (readonly [ServiceName, OpenApiDocument])[]): OpenApiDocument {
  const paths: Record<string, unknown> = {};
  const components: Record<string, Record<string, unknown>> = {};
  const tags = new Map<string, { name: string }>();
  for (const [service, document] of documents) {
    const renamed = renameClashes(service, document, components);
    for (const [path, item] of Object.entries(renamed.paths)) if (findService(path) === service) paths[path] = item;
    for (const [kind, entries] of Object.entries(renamed.components ?? {}))
      components[kind] = { ...components[kind], ...entries };
    for (const tag of renamed.tags ?? []) tags.set(tag.name, tag);
  }
  const [[, first] = [undefined, { paths: {} } as OpenApiDocument]] = documents;
  const info = { title: 'Hone', description: 'All services at one address.', version: '0.1.0' };
  return {
    ...{ openapi: '3.1.0', info: { ...first.info, ...info } },
    ...(first.servers && { servers: first.servers }),
    ...(tags.size > 0 && { tags: [...tags.values()] }),
    paths,
    components,
  };
}

function renameClashes(
  service: ServiceName,
  document: OpenApiDocument,
  taken: Record<string, Record<string, unknown>>,
): OpenApiDocument {
  const schemas = document.components?.['schemas'] ?? {};
  const clashes = Object.keys(schemas).filter((name) => {
    const other = taken['schemas']?.[name];
    return other !== undefined && JSON.stringify(other) !== JSON.stringify(schemas[name]);
  });
  if (clashes.length === 0) return document;
  const prefix = service.replace(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase());
  const ref = (name: string) => `"#/components/schemas/${name}"`;
  let text = JSON.stringify(document);
  for (const name of clashes) text = text.replaceAll(ref(name), ref(prefix + name));
  const renamed = JSON.parse(text) as OpenApiDocument;
  const entries = Object.entries(renamed.components?.['schemas'] ?? {});
  const own = entries.map(([name, schema]) => [clashes.includes(name) ? prefix + name : name, schema]);
  return { ...renamed, components: { ...renamed.components, schemas: Object.fromEntries(own) } };
}
