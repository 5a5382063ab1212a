import { setPriority } from 'node:os';

import { importAdapter } from './import-adapter.js';
import type { ImportOrder } from './import-messages.js';

/** Below whatever answers people. */
const NICE = 10;

/** Carries out one import, sends the outcome to the parent, and exits. A fault ends the process without a message. */
setPriority(NICE);
process.on('disconnect', () => process.exit(1));
process.once('message', (order: ImportOrder) => {
  void importAdapter(order).then((outcome) => process.send?.(outcome, () => process.exit(0)));
});
