import { type MessagePort, parentPort, workerData } from 'node:worker_threads';

import { toErrorMessage } from '../error-message.js';
import type { ConstraintThreadData, FromConstraints, ToConstraints } from './constraint-messages.js';
import { MatcherPool } from './matcher-pool.js';

const port = parentPort as MessagePort;
const post = (message: FromConstraints) => port.postMessage(message);
const pool = await MatcherPool.create(workerData as ConstraintThreadData);

async function handle(message: ToConstraints): Promise<void> {
  const startedMs = performance.now();
  try {
    if (message.type === 'close') return pool.close(message.id);
    if (message.type === 'open') await pool.open(message.id, message.source, message.accepted);
    else if (message.type === 'accept') {
      pool.accept(message.id, message.token);
      if (message.isSilent) return;
    } else {
      const accepted = pool.propose(message.id, message.token);
      if (accepted !== null) return post({ type: 'accepted', id: message.id, token: message.token, accepted });
    }
    const next = await pool.mask(message.id);
    if (next !== null) post({ type: 'mask', id: message.id, ...next, workMs: performance.now() - startedMs });
  } catch (error) {
    post({ type: 'failed', id: message.id, error: toErrorMessage(error) });
  }
}

// One after the other: a mask belongs to the tokens that were accepted before it was asked for.
let last = Promise.resolve();
port.on('message', (message: ToConstraints) => {
  last = last.then(() => handle(message));
});
post({ type: 'ready' });
