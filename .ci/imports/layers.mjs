/**
 * The layers (features) of each app, top first: folder of `apps/<app>/src` -> what its files may import of the app beside
 * their own folder. An entry is a folder that is listed further down, or `<folder>/*.ts` for the files directly in it.
 *
 * Files directly in `src` are the top: they may import every layer, and no layer may import them. The head of each app's
 * module (or main file) repeats the table with what each layer is for; a spec compares the two.
 *
 * @type {Record<string, Record<string, string[]>>}
 */
export const LAYERS = {
  accounts: {
    bootstrap: ['api-keys', 'users', 'entities', 'config'],
    me: ['api-keys', 'users', 'entities', 'access'],
    'api-keys': ['users', 'access'],
    members: ['users', 'entities', 'access'],
    users: ['entities', 'access'],
    projects: ['entities', 'access'],
    entities: ['access'],
    audit: ['access'],
    access: [],
    config: [],
  },
  'inference-gateway': {
    api: ['edge', 'catalogue', 'metering', 'telemetry', 'dispatch', 'targets', 'wire', 'shared'],
    edge: ['shared'],
    catalogue: ['targets', 'dispatch', 'shared'],
    metering: ['shared'],
    telemetry: ['dispatch', 'shared'],
    dispatch: ['targets/*.ts', 'shared'],
    targets: ['wire', 'shared'],
    wire: ['shared'],
    shared: [],
  },
  launcher: {
    processes: ['logs', 'config'],
    logs: [],
    config: [],
  },
  proxy: {
    overview: ['forward', 'answers', 'routes'],
    forward: ['answers', 'routes'],
    config: ['routes'],
    answers: [],
    routes: [],
  },
  tour: {
    story: ['learning', 'api', 'terminal'],
    learning: ['api', 'terminal'],
    api: ['config'],
    terminal: [],
    config: [],
  },
  trace: {
    calls: ['feedback', 'objects', 'query-expressions', 'group-commit', 'streams', 'values'],
    feedback: ['annotation-queues', 'objects', 'query-expressions', 'group-commit', 'streams', 'values'],
    'annotation-queues': ['query-expressions', 'streams'],
    evaluations: ['objects'],
    models: ['objects', 'values'],
    refs: ['objects', 'tables', 'values'],
    files: ['objects', 'values'],
    labels: ['objects'],
    tables: ['objects', 'query-expressions', 'streams', 'values'],
    objects: ['streams', 'values'],
    'query-expressions': [],
    'group-commit': [],
    streams: [],
    values: [],
  },
  trainer: {
    collector: ['worker', 'workspace', 'telemetry', 'config'],
    worker: ['attempt', 'telemetry', 'config'],
    attempt: ['planning', 'workspace', 'telemetry', 'config'],
    planning: ['data', 'workspace'],
    data: ['workspace', 'config'],
    workspace: [],
    telemetry: [],
    config: [],
  },
  training: {
    diagnosis: ['jobs', 'artifacts', 'models', 'base-models', 'child-processes', 'storage', 'http', 'config'],
    events: ['jobs', 'http', 'config'],
    jobs: ['artifacts', 'models', 'job-protocol', 'access', 'storage', 'http', 'config'],
    artifacts: ['models', 'access', 'storage', 'http', 'config'],
    adapters: ['checkpoints', 'models', 'base-models', 'child-processes', 'storage', 'http', 'config'],
    checkpoints: ['models', 'storage', 'http'],
    log: ['models', 'storage', 'http'],
    models: ['job-protocol', 'access', 'http'],
    reaper: ['job-protocol'],
    system: ['job-protocol'],
    'job-protocol': ['config'],
    access: [],
    'base-models': [],
    'child-processes': ['http'],
    storage: ['config'],
    http: ['config'],
    config: [],
  },
};
