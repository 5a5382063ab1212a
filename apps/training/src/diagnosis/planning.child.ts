import { lowerPriority } from '@hone/engine';

import { diagnoseLines } from './diagnose-lines.js';
import { diagnoseRl } from './diagnose-rl.js';
import type { PlanningCase } from './planning-processes.js';

/** Plans one case, sends the diagnosis to the parent, and exits. An error ends the process without a message. */
lowerPriority();
process.on('disconnect', () => process.exit(1));
process.once('message', (planned: PlanningCase) => {
  void (planned.kind === 'rl' ? diagnoseRl(planned) : diagnoseLines(planned)).then((diagnosis) =>
    process.send?.(diagnosis, () => process.exit(0)),
  );
});
