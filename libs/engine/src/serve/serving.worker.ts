import { type MessagePort, parentPort, workerData } from 'node:worker_threads';

import { ConstraintThreads } from '../decode/constraints/constraint-threads.js';
import { LoaderThread } from './loader/loader-thread.js';
import type { FromServing, ServingData, ToServing } from './serve-messages.js';
import { ServedModels } from './served-models.js';
import { ServingCore } from './serving-core.js';
import { ownTaskId } from './thread-cpu-time.js';

const HEARTBEAT_MS = 1_000;

const port = parentPort as MessagePort;
const { settings, announcements } = workerData as ServingData;
const post = (message: FromServing) => port.postMessage(message);

const loader = new LoaderThread({ announcements });
const models = new ServedModels(
  loader,
  settings,
  (tokens, { eosTokenIds }) => new ConstraintThreads(tokens, eosTokenIds, settings.compileMs, settings.compileStates),
);
const core = new ServingCore(models, settings, post);
port.on('message', (message: ToServing) => core.receive(message));
const taskId = ownTaskId();
setInterval(() => post({ type: 'heartbeat', taskId }), HEARTBEAT_MS);
post({ type: 'heartbeat', taskId });
await core.run();
await Promise.all([models.close(), loader.close()]);
// Open handles would keep the thread alive without work.
process.exit(0);
