/** The services that answer requests, in the order in which they are shown. */
export const SERVICES = ['trace', 'training', 'inference-gateway', 'evaluation', 'accounts'] as const;
export type ServiceName = (typeof SERVICES)[number];

/**
 * Which service answers which paths. A prefix matches whole path segments: `/obj` takes `/obj` and `/obj/read`, not
 * `/objs`. The longest prefix decides. This is the only definition: the local proxy reads it, and nginx.conf is checked against it.
 */
export const ROUTES: Record<ServiceName, readonly string[]> = {
  trace: [
    '/feedback',
    '/obj',
    '/objs',
    '/tags',
    '/aliases',
    '/refs',
    '/table',
    '/file',
    '/files',
    '/call',
    '/calls',
    '/trace',
    '/threads',
    '/cost',
    '/project',
    '/annotation_queues',
    '/v2',
    '/export',
    '/otel',
    '/api/public',
    '/compat',
    '/traces',
    '/graphql',
  ],
  training: ['/v1/preview', '/v1/health', '/v1/system-check'],
  // Also what nobody has below `/v1`: clients of OpenAI's API read errors in its form only.
  'inference-gateway': ['/v1'],
  evaluation: ['/evaluation'],
  accounts: ['/account'],
};

const LONGEST_PREFIX = 2;

const SERVICE_OF_PREFIX = new Map<string, ServiceName>(
  SERVICES.flatMap((service) => ROUTES[service].map((prefix) => [prefix, service] as const)),
);

/** The service of a request path (percent-encoded, without its query); undefined when no service has it. */
export function findService(path: string): ServiceName | undefined {
  let prefix = '';
  let service: ServiceName | undefined;
  for (const segment of path.split('/', LONGEST_PREFIX + 1).slice(1)) {
    prefix += `/${decodeSegment(segment)}`;
    service = SERVICE_OF_PREFIX.get(prefix) ?? service;
  }
  return service;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll('/', '%2F');
  } catch {
    return segment;
  }
}
