import { lowerPriority } from '@hone/engine';

import { importAdapter } from './import-adapter.js';
import type { ImportOrder } from './import-messages.js';

/** Carries out one import, sends the outcome to the parent, and exits. A fault ends the process without a message. */
lowerPriority();
process.on('disconnect', () => process.exit(1));
process.once('message', (order: ImportOrder) => {
  void importAdapter(order).then((outcome) => process.send?.(outcome, () => process.exit(0)));
});
